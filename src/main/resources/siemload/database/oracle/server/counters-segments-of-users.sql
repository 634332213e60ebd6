-- The blocks of the tables and indexes of all users but those that Oracle comes with; needs SELECT on v_$segment_statistics and
-- dba_tablespaces. Partitions count together.
SELECT s.owner || '.' || s.object_name AS object_name, s.object_type, s.statistic_name, SUM(s.value) AS blocks,
    MAX(t.block_size) AS block_size
FROM v$segment_statistics s
JOIN dba_tablespaces t ON t.tablespace_name = s.tablespace_name
WHERE s.owner IN (SELECT u.username FROM all_users u WHERE u.oracle_maintained = 'N')
    AND s.statistic_name IN ('logical reads', 'physical reads', 'physical writes')
GROUP BY s.owner, s.object_name, s.object_type, s.statistic_name
