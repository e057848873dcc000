-- PostgreSQL. One record is told with plain parameters, whose plan can be kept; lists travel as arrays: one statement, one round
-- trip, one commit, however many records.

--: now
(extract(epoch from statement_timestamp()) * 1000000)::bigint

--: claim
with fresh as (
  insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
  values (?, ?, case when ? = 1 then 0 else {now} end, {now}, {now}, {now} + ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ? {own_values})
  on conflict (id) do nothing
  returning fence
)
select {r.columns}, {now}, 1, f.fence
from (select 1) one left join fresh f on true left join {table} r on r.id = ? and f.fence is null

--: claims
with clock as materialized (select {now} as now),
wish as materialized (
  select * from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::int[], ?::boolean[], ?::text[], ?::text[], ?::text[],
    ?::bytea[], ?::bytea[], ?::bytea[], ?::bytea[], ?::text[] {own_arrays})
  with ordinality as w (id, owner, lease, attempts, mark, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_aliases}, n)
),
fresh as (
  insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
  select id, owner, case when mark then 0 else now end, now, now, now + lease, attempts, 0, scope, biz_type, idem_key,
    payload_hash, field_hashes, superseded, checkpoint, biz_id {own_aliases}
  from wish cross join clock order by id
  on conflict (id) do nothing
  returning id, fence
)
select {r.columns}, clock.now, w.n, f.fence
from wish w cross join clock left join fresh f on f.id = w.id
left join lateral (select * from {table} t where t.id = w.id and f.id is null limit 1) r on true

--: changes
with clock as materialized (select {now} as now),
wish as materialized (
  select * from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[], ?::int[], ?::boolean[],
    ?::int[], ?::uuid[], ?::boolean[], ?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bytea[], ?::boolean[], ?::bytea[])
  with ordinality as w (id, owner, fence, scope, biz_type, idem_key, alias, from_one, from_other, lease_over,
    status, heir, anew, back, lease, keep, tombstone, format, body, resumes, checkpoint, n)
),
changed as (
  update {table} r set updated_at = now,
    lease_until = case when w.lease >= 0 then now + w.lease when w.status in (0, 3) then r.lease_until end,
    expire_at = case when w.keep >= 0 then now + w.keep end,
    gone_at = case when w.tombstone > 0 then now + w.keep + w.tombstone end,
    fence = case when w.heir is null then r.fence else greatest(r.fence + 1, now) end,
    attempts = case when w.anew then 0 else r.attempts - w.back end,
    checkpoint = case when w.resumes then r.checkpoint else w.checkpoint end,
    result_format = w.format, result_payload = w.body, owner = coalesce(w.heir, r.owner), status = w.status
  from wish w cross join clock
  where r.id = w.id and r.owner = w.owner and r.fence = w.fence
    and r.scope = w.scope and r.biz_type = w.biz_type and r.idem_key in (w.idem_key, w.alias)
    and r.status in (w.from_one, w.from_other) and (not w.lease_over or r.lease_until <= now)
  returning w.n, r.id, r.waited
)
select n, case when waited then pg_notify('onefold', id::text) end from changed

--: change
with changed as (
  update {table} set updated_at = {now}, lease_until = case when ? = 1 then {now} + ? when ? = 1 then lease_until end,
    expire_at = case when ? >= 0 then {now} + ? end, gone_at = case when ? > 0 then {now} + ? + ? end,
    fence = case when ? = 1 then greatest(fence + 1, {now}) else fence end,
    attempts = case when ? = 1 then 0 else attempts - ? end,
    checkpoint = case when ? = 1 then checkpoint else ? end,
    result_format = ?, result_payload = ?, owner = ?, status = ?
  where id = ? and owner = ? and fence = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and status in (?, ?)
    and (? = 0 or lease_until <= {now})
  returning id, waited
)
select 1, case when waited then pg_notify('onefold', id::text) end from changed

--: waited
update {table} set waited = true where id = any(?::uuid[]) and status = 0 and not waited

--: epoch
select system_identifier || '-' || timeline_id from pg_control_system(), pg_control_checkpoint()

--: lock
select pg_try_advisory_xact_lock(?), {now}
