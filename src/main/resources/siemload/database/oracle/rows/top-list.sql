-- The most frequent values of a field.
SELECT t.text, COUNT(DISTINCT t.id)
FROM (
    SELECT :hint :id AS id, :field AS text
    FROM :from
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.text
ORDER BY COUNT(DISTINCT t.id) DESC, t.text
FETCH FIRST :'size' ROWS ONLY
