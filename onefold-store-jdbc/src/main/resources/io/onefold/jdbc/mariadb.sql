-- MariaDB 10.6 and later: an insert can return the row that it met.

--: claims
insert into {table} (id, owner, fence, created_at, updated_at, lease_until, attempts, status, scope, biz_type, idem_key,
  payload_hash, field_hashes, superseded, checkpoint, biz_id {own_names})
values {rows}
on duplicate key update id = id
returning {columns}, {now}
