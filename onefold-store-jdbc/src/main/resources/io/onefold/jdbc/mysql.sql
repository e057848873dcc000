-- What MySQL 8 and MariaDB share.

--: now
timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))

--: delete
delete from {table} where expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4) and fence < {now}
order by expire_at limit ?

--: strip
update {table} set result_format = null, result_payload = null, checkpoint = null, superseded = null,
  -- assigned from left to right, hence exchanged by sums
  expire_at = expire_at + gone_at, gone_at = expire_at - gone_at, expire_at = expire_at - gone_at
where expire_at <= {now} and gone_at > {now} and status in (1, 2) order by expire_at limit ?

--: token sweep
delete from onefold_token where expire_at <= {now} - ? order by expire_at limit ?

--: lock
select get_lock(?, 0), {now}
