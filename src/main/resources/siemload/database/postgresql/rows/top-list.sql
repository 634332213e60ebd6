-- The most frequent values of a field; the field is the list of an event's values.
SELECT value.value, count(*)
FROM :from
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY value.value
ORDER BY count(*) DESC, value.value
LIMIT :'limit'
