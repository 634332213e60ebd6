-- How many bytes the system global area of the instance takes; needs SELECT on v_$sga.
SELECT SUM(s.value) AS bytes FROM v$sga s HAVING SUM(s.value) > 0
