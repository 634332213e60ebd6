-- All rows as they come.
SELECT :hint :id, :time, :json
FROM :from
WHERE :conditions
