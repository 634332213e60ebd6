-- All rows in order.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction
