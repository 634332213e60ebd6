-- All rows in order.
SELECT :hint :id, :time, :json
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction
