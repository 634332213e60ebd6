-- The row with an id: one at most, so that there is no order and no page.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
