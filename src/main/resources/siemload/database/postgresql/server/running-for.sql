-- Statements on this database that have been worked on for at least so many seconds, with their parallel workers.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database()
    AND pid <> pg_backend_pid()
    AND state = 'active'
    AND backend_type IN ('client backend', 'parallel worker')
    AND query_start <= clock_timestamp() - make_interval(secs => ?)
