-- How far the log is on disk.
SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint
