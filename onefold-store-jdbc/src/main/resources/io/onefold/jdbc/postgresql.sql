-- PostgreSQL. One record is told with plain parameters, whose plan can be kept; lists travel as arrays: one statement, one round
-- trip, one commit, however many records. An array stands in a select of its own, which hides its length: the database would make a
-- plan for every length else, each time, and that takes longer than to carry it out.

--: now
(extract(epoch from statement_timestamp()) * 1000000)::bigint

--: claim one
with fresh as ({insert} returning fence)
select {r.columns}, {now}, 1, f.fence
from (select 1) one left join fresh f on true left join {table} r on r.id = ? and f.fence is null

--: claims
with clock as materialized (select {now} as now, greatest({now}, {floor}) as fence),
wish as materialized (
  select * from unnest((select ?::uuid[]), (select ?::uuid[]), (select ?::bigint[]), (select ?::int[]), (select ?::boolean[]),
    (select ?::text[]), (select ?::text[]), (select ?::text[]), (select ?::bytea[]), (select ?::bytea[]), (select ?::bytea[]),
    (select ?::bytea[]), (select ?::text[]) {own_arrays})
  with ordinality as w (id, owner, lease, attempts, mark, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_aliases}, n)
),
fresh as (
  insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
  select id, owner, case when mark then 0 else fence end, now, now, now + lease, attempts, 0, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_aliases}
  from wish cross join clock order by id
  on conflict (id) do nothing
  returning id, fence
)
select {r.columns}, clock.now, w.n, f.fence
from wish w cross join clock left join fresh f on f.id = w.id
left join lateral (select * from {table} t where t.id = w.id and f.id is null limit 1) r on true

-- what: the bits of Alteration.what()
--: changes
with clock as materialized (select {now} as now),
wish as materialized (
  select * from unnest((select ?::uuid[]), (select ?::uuid[]), (select ?::bigint[]), (select ?::text[]), (select ?::text[]),
    (select ?::bigint[]), (select ?::uuid[]), (select ?::bigint[]), (select ?::bigint[]), (select ?::bigint[]), (select ?::text[]),
    (select ?::bytea[]), (select ?::bytea[]))
  with ordinality as w (id, owner, fence, names, alias, what, heir, lease, keep, tombstone, format, body, checkpoint, n)
),
changed as (
  update {table} r set updated_at = now,
    lease_until = case when w.lease >= 0 then now + w.lease when (w.what & 7) in (0, 3) then r.lease_until end,
    expire_at = case when w.keep >= 0 then now + w.keep end,
    gone_at = case when w.tombstone > 0 then now + w.keep + w.tombstone end,
    fence = case when w.heir is null then r.fence else greatest(r.fence + 1, now) end,
    attempts = case when (w.what & 512) <> 0 then 0 when (w.what & 1024) <> 0 then r.attempts - 1 else r.attempts end,
    checkpoint = case when (w.what & 2048) <> 0 then r.checkpoint else w.checkpoint end,
    result_format = w.format, result_payload = w.body, owner = coalesce(w.heir, r.owner), status = (w.what & 7)::smallint,
    earlier_end = case when (w.what & 7) in (0, 3) then r.earlier_end end,
    earlier_payload = case when (w.what & 7) in (0, 3) then r.earlier_payload end
  from wish w cross join clock
  where r.id = w.id and r.owner = w.owner and r.fence = w.fence
    and r.scope || e'\n' || r.biz_type || e'\n' || r.idem_key in (w.names, w.alias)
    and (w.what & (8 << r.status)) <> 0 and ((w.what & 256) = 0 or r.lease_until <= now)
    and ((w.what & 7) <> 4 or r.earlier_end is null)
  returning w.n, r.id, r.waited
)
select n, case when waited then pg_notify('onefold', id::text) end from changed

--: change one
{change} returning 1, case when waited then pg_notify('onefold', id::text) end

--: restore one
{restore} returning 1, case when waited then pg_notify('onefold', id::text) end

-- changes nothing: its commit waits for a synchronous standby, and so for all that was committed before
--: confirm
update {table} set owner = owner where id = ? and owner = ?

--: waited
update {table} set waited = true where id = any(?::uuid[]) and status = 0 and not waited

-- the timeline that is written at present: what the control file names is the one before, from a promotion until a checkpoint has
-- ended. A standby has none, and fails: it is not the truth
--: epoch
select system_identifier || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) from pg_control_system()

-- a write of nothing fails with words that are no number, and what follows a failure is not run
--: and commit
with written as ({write} returning 1)
select case count(*) when 1 then 1 else ('onefold wrote ' || count(*))::int end from written; commit

--: raise floor
insert into {fence_table} (floor) values (?) on conflict (floor) do nothing

--: lock
select pg_try_advisory_xact_lock(?), {now}, {here}

-- with the name of the database, which a copy of it does not share
--: identity
select setting, current_database(), case when {here} then 1 else 0 end from {meta_table} where name = 'identity'

-- the same, and whether it is a standby
--: identity and role
select setting, current_database(), case when {here} then 1 else 0 end, case when pg_is_in_recovery() then 1 else 0 end
from {meta_table} where name = 'identity'

-- the same with the cluster and its timeline, which a standby does not have
--: identity and timeline
select setting, current_database(), case when {here} then 1 else 0 end, case when pg_is_in_recovery() then 1 else 0 end,
  (select system_identifier from pg_control_system()),
  case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end
from {meta_table} where name = 'identity'

--: schema
select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = to_regclass(?)
