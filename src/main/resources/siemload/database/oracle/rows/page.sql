-- One page of the rows of a table, or of a join.
SELECT :hint :id, :time, :json
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction
OFFSET :'offset' ROWS FETCH NEXT :'size' ROWS ONLY
