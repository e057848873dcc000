-- SQLite. Its clock has milliseconds.

--: now
cast(unixepoch('subsec') * 1000000 as integer)
