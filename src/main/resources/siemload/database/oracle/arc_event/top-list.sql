-- The most frequent values of a field.
SELECT t.text, COUNT(DISTINCT t.event_id)
FROM (
    SELECT :hint e.event_id, :field AS text
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.text
ORDER BY COUNT(DISTINCT t.event_id) DESC, t.text
FETCH FIRST :'size' ROWS ONLY
