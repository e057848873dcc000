-- What MySQL 8 and MariaDB share. Many records are one statement, committed by itself, as long as a list of parameters takes.

--: now
timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))

--: claims
insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
  payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
values {rows}
on duplicate key update id = id

-- the third parameter is 1 for a mark, whose fence is 0; the floor is read in any case, since the rows after the first one use it
--: claim row
(?, ?, (1 - ?) * greatest({now}, {floor}), {now}, {now}, {now} + ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ? {own_values})

--: found
select {r.columns}, {now} from {table} r where r.id in ({rows})

-- what: the bits of Alteration.what()
--: changes
update ({rows}) w straight_join {table} r on r.id = w.id
set r.updated_at = {now},
  r.lease_until = case when w.lease >= 0 then {now} + w.lease when (w.what & 7) in (0, 3) then r.lease_until end,
  r.expire_at = case when w.keep >= 0 then {now} + w.keep end,
  r.gone_at = case when w.tombstone > 0 then {now} + w.keep + w.tombstone end,
  r.fence = case when w.heir is null then r.fence else greatest(r.fence + 1, {now}) end,
  r.attempts = case when (w.what & 512) <> 0 then 0 when (w.what & 1024) <> 0 then r.attempts - 1 else r.attempts end,
  r.checkpoint = case when (w.what & 2048) <> 0 then r.checkpoint else w.checkpoint end,
  r.result_format = w.format, r.result_payload = w.body, r.owner = coalesce(w.heir, r.owner), r.status = w.what & 7,
  r.earlier_end = case when (w.what & 7) in (0, 3) then r.earlier_end end,
  r.earlier_payload = case when (w.what & 7) in (0, 3) then r.earlier_payload end
where r.owner = w.owner and r.fence = w.fence
  and cast(concat(r.scope, char(10), r.biz_type, char(10), r.idem_key) as binary) in (w.names, w.alias)
  and (w.what & (8 << r.status)) <> 0 and ((w.what & 256) = 0 or r.lease_until <= {now})
  and ((w.what & 7) <> 4 or r.earlier_end is null)

-- told the types, for a database that takes a parameter for text unless it knows better
--: change row
select cast(? as binary(16)) as id, cast(? as binary(16)) as owner, cast(? as signed) as fence, cast(? as binary) as names,
  cast(? as binary) as alias, cast(? as signed) as what, cast(? as binary(16)) as heir, cast(? as signed) as lease,
  cast(? as signed) as keep, cast(? as signed) as tombstone, cast(? as char) as format, cast(? as binary) as body,
  cast(? as binary) as checkpoint

--: delete
delete from {table} where fence < ? and expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4)
order by expire_at limit ?

--: strip
update {table} set result_format = null, result_payload = null, checkpoint = null, superseded = null,
  -- assigned from left to right, hence exchanged by sums
  expire_at = expire_at + gone_at, gone_at = expire_at - gone_at, expire_at = expire_at - gone_at
where expire_at <= {now} and gone_at > {now} and status in (1, 2) order by expire_at limit ?

--: token sweep
delete from {token_table} where expire_at <= {now} - ? order by expire_at limit ?

--: lock
select get_lock(?, 0), {now}
