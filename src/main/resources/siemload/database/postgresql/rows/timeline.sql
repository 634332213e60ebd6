-- How many events over time by a field; the field is the list of an event's values.
SELECT step.start, value.value, count(*)
FROM :from
CROSS JOIN LATERAL (SELECT date_bin(:'step'::interval, :time, :'origin'::timestamptz) AS start) step
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY step.start, value.value
ORDER BY step.start, value.value
