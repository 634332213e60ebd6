-- How many of the ids are stored, and how many of them more than once; an event counts when both tables have it.
SELECT count(*), count(*) FILTER (WHERE times > 1)
FROM (
    SELECT id, count(*) AS times
    FROM events JOIN events_json USING (id, detect_time)
    WHERE id = ANY (:'ids'::text[])
    GROUP BY id
) stored
