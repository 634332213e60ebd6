-- What the partitions of days reach.
WHERE :time < TIMESTAMP '4000-01-01 00:00:00'
