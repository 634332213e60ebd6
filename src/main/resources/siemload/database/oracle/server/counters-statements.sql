-- How long the instance has worked on each statement on the run's tables, in microseconds, with parsing and fetching; needs
-- SELECT on v_$sqlstats, which is v$sql without its latches. Statements with several plans count together.
SELECT s.sql_id, SUM(s.executions) AS executions, SUM(s.elapsed_time) AS micros
FROM v$sqlstats s
WHERE s.sql_text LIKE :'tables'
GROUP BY s.sql_id
