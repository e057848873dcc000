-- MariaDB 10.6 and later: an insert can return the row that it met.

--: returning

returning {columns}, {now}
