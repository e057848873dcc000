-- SQLite. Its clock has milliseconds.

--: now
cast(unixepoch('subsec') * 1000000 as integer)

--: raise floor
insert into {fence_table} (floor) values (?) on conflict (floor) do nothing
