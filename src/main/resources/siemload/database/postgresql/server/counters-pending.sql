-- Connections to the run's database, but for the one that guards it and those that only read counters: each hands in its
-- last counts when it ends.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database()
    AND application_name <> 'siemload counters'
    AND backend_type IN ('client backend', 'parallel worker')
    AND pid NOT IN (pg_backend_pid(), :'guard')
