-- Onefold's tables for PostgreSQL 13 and later. Times are UTC microseconds by the database's clock:
--   select idem_key, status, to_timestamp(updated_at / 1e6) from idempotent_record;
-- status: 0 processing, 1 success, 2 failed, 3 unknown, 4 free

create table if not exists idempotent_record (
    id             uuid primary key,          -- 16 bytes of SHA-256 over scope, biz_type and idem_key
    owner          uuid not null,             -- the attempt or settlement that holds or ended the record
    fence          bigint not null,           -- raised by every claim and settlement
    created_at     bigint not null,
    updated_at     bigint not null,
    lease_until    bigint,                    -- while processing or unknown
    expire_at      bigint,                    -- when the sweep acts next: the end of the keep, then of the tombstone
    gone_at        bigint,                    -- with a tombstone: its end; once it is one: the end of the keep
    attempts       integer not null,
    status         smallint not null,
    waited         boolean not null default false, -- someone in another process waits for the end
    scope          varchar(255) collate "C" not null,
    biz_type       varchar(255) collate "C" not null,
    idem_key       varchar(255) collate "C" not null,
    payload_hash   bytea,
    field_hashes   bytea,
    superseded     bytea,
    result_format  varchar(255) collate "C",
    result_payload bytea,
    checkpoint     bytea,
    biz_id         varchar(255) collate "C",
    earlier_end    bytea,                     -- while open: the end that this attempt overwrites, put back if nothing is carried out
    earlier_payload bytea
    -- columns of your own
);
create index if not exists idempotent_record_open on idempotent_record (lease_until) where lease_until is not null;
create index if not exists idempotent_record_due on idempotent_record (expire_at) where expire_at is not null;
create index if not exists idempotent_record_biz on idempotent_record (biz_id) where biz_id is not null;

create table if not exists onefold_meta (
    name    varchar(100) primary key,
    setting varchar(255) not null
);
insert into onefold_meta (name, setting) values ('schema_version', '1') on conflict (name) do nothing;
insert into onefold_meta (name, setting) values ('epoch', gen_random_uuid()::text) on conflict (name) do nothing;
-- tells this database from others, and stays
insert into onefold_meta (name, setting) values ('identity', gen_random_uuid()::text) on conflict (name) do nothing;

-- no new record has a fence below the highest floor: it is above the fences of all records that were removed
create table if not exists onefold_fence (
    floor bigint primary key
);

create table if not exists onefold_token (
    token_hash bytea primary key,
    biz_type   varchar(255) collate "C" not null,
    issued_to  varchar(255) collate "C" not null,
    expire_at  bigint not null
);
create index if not exists onefold_token_due on onefold_token (expire_at);
