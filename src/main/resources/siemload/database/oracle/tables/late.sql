-- What they do not reach.
WHERE :time >= TIMESTAMP '4000-01-01 00:00:00'
