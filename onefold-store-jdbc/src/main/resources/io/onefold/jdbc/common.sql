-- What all databases understand, one record at a time.

--: columns
id, owner, fence, created_at, updated_at, lease_until, expire_at, gone_at, attempts, status, scope, biz_type, idem_key,
payload_hash, field_hashes, superseded, result_format, result_payload, checkpoint, biz_id

--: identity
select setting, null, case when {here} then 1 else 0 end from {meta_table} where name = 'identity'

--: clock
select {now}

-- no new record's fence is below the floor: see FenceFloor
--: floor
coalesce((select max(floor) from {fence_table}), 0)

--: find
select {r.columns}, {now} from {table} r where r.id = ?

--: insert
insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
  payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
values (?, ?, case when ? = 1 then 0 else {greatest}({now}, {floor}) end, {now}, {now}, {now} + ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ? {own_values})
{or_nothing}

--: take
update {table} set {keeping} status = 0, owner = ?, fence = case when ? = 1 then fence else {greatest}(fence + 1, {now}) end,
  created_at = case when ? = 1 then {now} else created_at end, updated_at = {now}, lease_until = {now} + ?,
  expire_at = null, gone_at = null, attempts = ?, payload_hash = ?, field_hashes = ?, superseded = ?,
  result_format = null, result_payload = null, checkpoint = ?, biz_id = ?
where id = ? and fence = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and

-- comes before result_payload = null: MySQL assigns from left to right
--: keeping
earlier_end = ?, earlier_payload = result_payload,

-- what an amendment or a sweep may have changed since the end was read, under the same fence
--: unchanged
and updated_at = ? and coalesce(result_format, '') = ?

--: take FREE
status = 4

--: take EXPIRED
status in (1, 2, 4) and expire_at <= {now} and (gone_at is null or gone_at <= {now})

--: take LEASE_OVER
status = 0 and lease_until <= {now}

--: take UNKNOWN
status = 3

--: take OVERWRITE
status in (1, 2)

--: change
update {table} set {dropping} updated_at = {now}, lease_until = case when ? = 1 then {now} + ? when ? = 1 then lease_until end,
  expire_at = case when ? >= 0 then {now} + ? end, gone_at = case when ? > 0 then {now} + ? + ? end,
  fence = case when ? = 1 then {greatest}(fence + 1, {now}) else fence end,
  attempts = case when ? = 1 then 0 else attempts - ? end,
  checkpoint = case when ? = 1 then checkpoint else ? end,
  result_format = ?, result_payload = ?, owner = ?, status = ?
where id = ? and owner = ? and fence = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and status in (?, ?)
  and (? = 0 or lease_until <= {now}) {unless}

--: dropping
earlier_end = null, earlier_payload = null,

--: unless
and earlier_end is null

--: earlier
select earlier_end from {table} where id = ? and fence = ? and earlier_end is not null

--: restore
update {table} set owner = ?, fence = {greatest}(fence + 1, {now}, ?), status = ?, attempts = ?, created_at = ?, updated_at = {now},
  lease_until = null, expire_at = ?, gone_at = ?, payload_hash = ?, field_hashes = ?, superseded = ?, result_format = ?,
  result_payload = earlier_payload, checkpoint = null, biz_id = ?, earlier_end = null, earlier_payload = null
where id = ? and owner = ? and fence = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and status in (?, ?)
  and earlier_end is not null

--: mirror
update {table} set {dropping} owner = ?, fence = ?, created_at = ?, updated_at = {now}, lease_until = {now} + ?,
  expire_at = {now} + ?, gone_at = {now} + ?, attempts = ?, status = ?, payload_hash = ?, field_hashes = ?, superseded = ?,
  result_format = ?, result_payload = ?, checkpoint = ?, biz_id = ?
where id = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and (fence < ? or (fence = ? and status in (0, 3)))

--: copy
insert into {table} (owner, fence, created_at, updated_at, lease_until, expire_at, gone_at, attempts, status,
  payload_hash, field_hashes, superseded, result_format, result_payload, checkpoint, biz_id, id, scope, biz_type, idem_key)
values (?, ?, ?, {now}, {now} + ?, {now} + ?, {now} + ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
{or_nothing}

--: list
select {r.columns}, {now} from {table} r where {conditions} order by r.id limit ?

-- record and floor in one snapshot: if the record was removed, the floor is above its fence
--: find or floor
select {r.columns}, {now}, {floor} from (select 1 as one) o left join {table} r on r.id = ?

--: due
select max(d.fence), {now}, {floor} from (
  select fence from {table} where expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4)
  order by expire_at limit ?) d

--: old floors
select floor from {fence_table} where floor < ?

-- one row by its key: a range would lock the row that claims read
--: drop floor
delete from {fence_table} where floor = ?

--: raise floor
insert into {fence_table} (floor) values (?)

--: delete
delete from {table} where fence < ? and id in (
  select id from {table} where fence < ? and expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4)
  order by expire_at limit ?)
and expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4)

--: strip
update {table} set result_format = null, result_payload = null, checkpoint = null, superseded = null, expire_at = gone_at, gone_at = expire_at
where id in (
  select id from {table} where expire_at <= {now} and gone_at > {now} and status in (1, 2) order by expire_at limit ?)
and expire_at <= {now} and gone_at > {now} and status in (1, 2)

--: token issue
insert into {token_table} (token_hash, biz_type, issued_to, expire_at) values (?, ?, ?, {now} + ?)

--: token find
select biz_type, issued_to, case when expire_at <= {now} then 1 else 0 end from {token_table} where token_hash = ?

--: token remove
delete from {token_table} where token_hash = ?

--: token sweep
delete from {token_table} where token_hash in (
  select token_hash from {token_table} where expire_at <= {now} - ? order by expire_at limit ?)

--: finish
insert into {table} (owner, fence, created_at, updated_at, expire_at, gone_at, attempts, status,
  payload_hash, field_hashes, superseded, result_format, result_payload, checkpoint, biz_id, id, scope, biz_type, idem_key {own_names})
values (?, ?, {now}, {now}, {now} + ?, {now} + ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? {own_values})
{or_nothing}

--: replace
update {table} set {dropping} owner = ?, fence = ?, updated_at = {now}, expire_at = {now} + ?, gone_at = {now} + ?, attempts = ?, status = ?,
  payload_hash = ?, field_hashes = ?, superseded = ?, result_format = ?, result_payload = ?, checkpoint = ?, biz_id = ?,
  lease_until = null, created_at = case when ? = 1 then {now} else created_at end
where id = ? and scope = ? and biz_type = ? and idem_key in (?, ?) and fence = ? and
