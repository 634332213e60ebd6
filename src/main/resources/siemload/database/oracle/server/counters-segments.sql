-- The blocks of the run's tables and indexes; needs SELECT on v_$segment_statistics. Partitions count together.
SELECT s.object_name, s.object_type, s.statistic_name, SUM(s.value) AS blocks, MAX(t.block_size) AS block_size
FROM v$segment_statistics s
JOIN user_tablespaces t ON t.tablespace_name = s.tablespace_name
WHERE s.owner = USER AND s.object_name LIKE :'names'
    AND s.statistic_name IN ('logical reads', 'physical reads', 'physical writes')
GROUP BY s.object_name, s.object_type, s.statistic_name
