-- How many events over time by a field; a step is a number of seconds from the start of the window.
SELECT t.step, t.text, COUNT(DISTINCT t.id) AS events
FROM (
    SELECT :hint :id AS id, :field AS text, FLOOR((
        EXTRACT(DAY FROM CAST(:time AS TIMESTAMP) - CAST(:'from' AS TIMESTAMP)) * 86400
        + EXTRACT(HOUR FROM CAST(:time AS TIMESTAMP) - CAST(:'from' AS TIMESTAMP)) * 3600
        + EXTRACT(MINUTE FROM CAST(:time AS TIMESTAMP) - CAST(:'from' AS TIMESTAMP)) * 60
        + EXTRACT(SECOND FROM CAST(:time AS TIMESTAMP) - CAST(:'from' AS TIMESTAMP))) / :'seconds') AS step
    FROM :from
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.step, t.text
ORDER BY t.step, t.text
