-- One page of the rows of a table, or of a join.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction
LIMIT :'limit' OFFSET :'offset'
