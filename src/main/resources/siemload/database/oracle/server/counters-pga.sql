-- How many bytes the processes of the instance have for themselves, and how many of these they use; needs SELECT on v_$pgastat. Where
-- it has rows of several containers, the largest is that of the whole instance.
SELECT p.name, MAX(p.value) AS bytes
FROM v$pgastat p
WHERE p.name IN ('total PGA allocated', 'total PGA inuse') AND p.value > 0
GROUP BY p.name
