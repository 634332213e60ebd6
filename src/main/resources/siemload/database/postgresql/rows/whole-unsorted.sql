-- All rows as they come.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
