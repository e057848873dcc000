-- Onefold's tables for SQLite 3.42 and later. Times are UTC microseconds by the database's clock:
--   select idem_key, status, datetime(updated_at / 1000000, 'unixepoch') from idempotent_record;
-- status: 0 processing, 1 success, 2 failed, 3 unknown, 4 free

create table if not exists idempotent_record (
    id             blob not null primary key,          -- 16 bytes of SHA-256 over scope, biz_type and idem_key
    owner          blob not null,             -- the attempt or settlement that holds or ended the record
    fence          integer not null,           -- raised by every claim and settlement
    created_at     integer not null,
    updated_at     integer not null,
    lease_until    integer,                    -- while processing or unknown
    expire_at      integer,                    -- when the sweep acts next: the end of the keep, then of the tombstone
    gone_at        integer,                    -- with a tombstone: its end; once it is one: the end of the keep
    attempts       integer not null,
    status         integer not null,
    scope          text not null,
    biz_type       text not null,
    idem_key       text not null,
    payload_hash   blob,
    field_hashes   blob,
    superseded     blob,
    result_format  text,
    result_payload blob,
    checkpoint     blob,
    biz_id         text,
    earlier_end    blob,                      -- while open: the end that this attempt overwrites, put back if nothing is carried out
    earlier_payload blob
    -- columns of your own
) without rowid;
create index if not exists idempotent_record_open on idempotent_record (lease_until) where lease_until is not null;
create index if not exists idempotent_record_due on idempotent_record (expire_at) where expire_at is not null;
create index if not exists idempotent_record_biz on idempotent_record (biz_id) where biz_id is not null;

create table if not exists onefold_meta (
    name    text not null primary key,
    setting text not null
) without rowid;
insert into onefold_meta (name, setting) values ('schema_version', '1') on conflict (name) do nothing;
insert into onefold_meta (name, setting) values ('epoch', lower(hex(randomblob(16)))) on conflict (name) do nothing;
-- tells this database from others, and stays
insert into onefold_meta (name, setting) values ('identity', lower(hex(randomblob(16)))) on conflict (name) do nothing;

-- no new record has a fence below the highest floor: it is above the fences of all records that were removed
create table if not exists onefold_fence (
    floor bigint primary key
);

create table if not exists onefold_token (
    token_hash blob not null primary key,
    biz_type   text not null,
    issued_to  text not null,
    expire_at  integer not null
) without rowid;
create index if not exists onefold_token_due on onefold_token (expire_at);
