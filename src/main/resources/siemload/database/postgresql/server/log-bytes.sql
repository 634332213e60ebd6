-- What this session has written to the write-ahead log. PostgreSQL 18 or newer.
SELECT wal_bytes::bigint
FROM pg_stat_get_backend_wal(pg_backend_pid())
