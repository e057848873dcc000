-- Onefold's tables for H2 2.2 and later. Times are UTC microseconds by the database's clock:
--   select idem_key, status, dateadd(microsecond, updated_at, timestamp '1970-01-01 00:00:00') from idempotent_record;
-- "blob" is not known in MODE=PostgreSQL, so types have their long names.
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
    scope          varchar(255) not null,
    biz_type       varchar(255) not null,
    idem_key       varchar(255) not null,
    payload_hash   varbinary(255),
    field_hashes   binary large object,
    superseded     binary large object,
    result_format  varchar(255),
    result_payload binary large object,
    checkpoint     binary large object,
    biz_id         varchar(255),
    earlier_end    binary large object,       -- while open: the end that this attempt overwrites, put back if nothing is carried out
    earlier_payload binary large object
    -- columns of your own
);
create index if not exists idempotent_record_open on idempotent_record (lease_until);
create index if not exists idempotent_record_due on idempotent_record (expire_at);
create index if not exists idempotent_record_biz on idempotent_record (biz_id);

create table if not exists onefold_meta (
    name    varchar(100) primary key,
    setting varchar(255) not null
);
merge into onefold_meta m using (values ('schema_version', '1')) v (name, setting) on m.name = v.name
    when not matched then insert (name, setting) values (v.name, v.setting);
merge into onefold_meta m using (values ('epoch', cast(random_uuid() as varchar))) v (name, setting) on m.name = v.name
    when not matched then insert (name, setting) values (v.name, v.setting);
-- tells this database from others, and stays
merge into onefold_meta m using (values ('identity', cast(random_uuid() as varchar))) v (name, setting) on m.name = v.name
    when not matched then insert (name, setting) values (v.name, v.setting);

-- joined transactions hold a row of their key here until they end
create table if not exists onefold_lock (
    id binary(16) primary key
);

-- no new record has a fence below the highest floor: it is above the fences of all records that were removed
create table if not exists onefold_fence (
    floor bigint primary key
);

create table if not exists onefold_token (
    token_hash varbinary(32) primary key,
    biz_type   varchar(255) not null,
    issued_to  varchar(255) not null,
    expire_at  bigint not null
);
create index if not exists onefold_token_due on onefold_token (expire_at);
