-- How long the server has worked on each statement in the database of the run, in milliseconds. The texts, which lie in a
-- file, are not read.
SELECT s.queryid::text, sum(s.calls)::bigint AS calls, sum(s.total_plan_time) AS planning, sum(s.total_exec_time) AS execution
FROM :"schema".pg_stat_statements(false) s
WHERE s.queryid IS NOT NULL
    AND s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = :'database')
GROUP BY s.queryid
