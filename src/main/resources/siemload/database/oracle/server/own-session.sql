-- What this session itself has counted since it began; needs SELECT on v_$mystat and v_$statname.
SELECT n.name, m.value
FROM v$mystat m
JOIN v$statname n ON n.statistic# = m.statistic#
WHERE n.name IN (
    'session logical reads', 'physical reads', 'physical reads direct temporary tablespace',
    'physical writes direct temporary tablespace', 'redo size', 'undo change vector size')
