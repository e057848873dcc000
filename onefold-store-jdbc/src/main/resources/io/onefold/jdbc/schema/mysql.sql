-- Onefold's tables for MySQL 8 and MariaDB 10.6, and later. Times are UTC microseconds by the database's clock:
--   select idem_key, status, from_unixtime(updated_at / 1000000) from idempotent_record;
-- status: 0 processing, 1 success, 2 failed, 3 unknown, 4 free

create table if not exists idempotent_record (
    id             binary(16) primary key,    -- 16 bytes of SHA-256 over scope, biz_type and idem_key
    owner          binary(16) not null,       -- the attempt or settlement that holds or ended the record
    fence          bigint not null,           -- raised by every claim and settlement
    created_at     bigint not null,
    updated_at     bigint not null,
    lease_until    bigint,                    -- while processing or unknown
    expire_at      bigint,                    -- when the sweep acts next: the end of the keep, then of the tombstone
    gone_at        bigint,                    -- with a tombstone: its end; once it is one: the end of the keep
    attempts       integer not null,
    status         smallint not null,
    scope          varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
    biz_type       varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
    idem_key       varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
    payload_hash   varbinary(255),
    field_hashes   mediumblob,
    superseded     blob,
    result_format  varchar(255) character set utf8mb4 collate utf8mb4_bin,
    result_payload longblob,
    checkpoint     longblob,
    biz_id         varchar(255) character set utf8mb4 collate utf8mb4_bin,
    earlier_end    longblob,                  -- while open: the end that this attempt overwrites, put back if nothing is carried out
    earlier_payload longblob
    -- columns of your own
    ,
    index idempotent_record_open (lease_until),
    index idempotent_record_due (expire_at),
    index idempotent_record_biz (biz_id)
) engine = InnoDB;

create table if not exists onefold_meta (
    name    varchar(100) primary key,
    setting varchar(255) not null
) engine = InnoDB;
insert ignore into onefold_meta (name, setting) values ('schema_version', '1');
insert ignore into onefold_meta (name, setting) values ('epoch', uuid());
-- tells this database from others, and stays
insert ignore into onefold_meta (name, setting) values ('identity', uuid());

-- no new record has a fence below the highest floor: it is above the fences of all records that were removed
create table if not exists onefold_fence (
    floor bigint primary key
) engine = InnoDB;

create table if not exists onefold_token (
    token_hash varbinary(32) primary key,
    biz_type   varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
    issued_to  varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
    expire_at  bigint not null,
    index onefold_token_due (expire_at)
) engine = InnoDB;
