-- What the instance has counted since its start; needs SELECT on v_$sysstat.
SELECT s.name, s.value
FROM v$sysstat s
WHERE s.name IN (
    'user commits', 'user calls', 'execute count', 'parse count (hard)', 'session logical reads', 'consistent gets',
    'db block gets', 'physical reads', 'physical read IO requests', 'physical read bytes', 'physical writes',
    'physical write IO requests', 'physical write bytes', 'physical reads direct temporary tablespace',
    'physical writes direct temporary tablespace', 'redo writes', 'redo size', 'redo blocks written',
    'redo synch writes', 'undo change vector size', 'sorts (memory)', 'sorts (disk)', 'sorts (rows)',
    'table scans (short tables)', 'table scans (long tables)', 'table scan rows gotten', 'table scan blocks gotten',
    'table fetch by rowid', 'table fetch continued row', 'index fast full scans (full)', 'index range scans',
    'background checkpoints completed', 'DBWR checkpoint buffers written',
    'bytes sent via SQL*Net to client', 'bytes received via SQL*Net from client')
