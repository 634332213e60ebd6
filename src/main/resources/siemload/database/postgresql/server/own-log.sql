-- The bytes of the write-ahead log that this session has made so far. PostgreSQL 18 or newer.
SELECT wal_bytes::bigint FROM pg_stat_get_backend_wal(pg_backend_pid())
