-- How long the instance has worked on each statement of this user, in microseconds, with parsing and fetching; needs SELECT on v_$sql,
-- since v$sqlstats does not say whose a statement is. Statements with several plans count together.
SELECT s.sql_id, SUM(s.executions) AS executions, SUM(s.elapsed_time) AS micros
FROM v$sql s
WHERE s.parsing_user_id IN (SELECT u.user_id FROM all_users u WHERE u.username = USER)
GROUP BY s.sql_id
