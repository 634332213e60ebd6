-- How many events over time by a field; a step is a number of seconds from the start of the window.
SELECT t.step, t.text, COUNT(DISTINCT t.event_id) AS events
FROM (
    SELECT :hint e.event_id, :field AS text, FLOOR((
        EXTRACT(DAY FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 86400
        + EXTRACT(HOUR FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 3600
        + EXTRACT(MINUTE FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 60
        + EXTRACT(SECOND FROM e.end_time - CAST(:'from' AS TIMESTAMP))) / :'seconds') AS step
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.step, t.text
ORDER BY t.step, t.text
