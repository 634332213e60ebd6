-- Who else is connected. What they do is hidden from a user without the role pg_read_all_stats.
SELECT a.usename AS who, a.datname AS database, coalesce(nullif(a.application_name, ''), 'a program') AS program,
    count(*) AS sessions,
    count(*) FILTER (WHERE a.state IN ('active', 'fastpath function call')) AS working,
    bool_or(a.state IS NULL) AS hidden
FROM pg_stat_activity a
WHERE a.datid IS NOT NULL AND coalesce(a.backend_type, 'client backend') = 'client backend'
    AND a.pid <> pg_backend_pid() AND coalesce(a.application_name, '') <> 'siemload'
GROUP BY 1, 2, 3
ORDER BY sessions DESC, who, database, program
