-- H2

--: now
cast(extract(epoch from current_timestamp(6)) * 1000000 as bigint)

--: delete
delete from {table} where fence < ? and expire_at <= {now} and (gone_at is null or gone_at <= {now}) and status in (1, 2, 4)
fetch first ? rows only

--: token sweep
delete from {token_table} where expire_at <= {now} - ? fetch first ? rows only
