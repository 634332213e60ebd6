-- Whether and where the extension is in this database, and what it counts.
SELECT n.nspname AS schema_name,
    coalesce(current_setting('pg_stat_statements.track_planning', true), 'off') = 'on' AS plans_counted
FROM pg_extension e
JOIN pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname = 'pg_stat_statements'
