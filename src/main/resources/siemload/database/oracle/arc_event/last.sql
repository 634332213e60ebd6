-- The last page: the first one of the reversed order, turned round.
SELECT p.event_id, p.end_time, p.raw_event
FROM (
    SELECT :hint e.event_id, e.end_time, e.raw_event
    FROM :"event" e
    WHERE :conditions
    ORDER BY e.end_time :reversed, e.event_id :reversed
    FETCH FIRST :'size' ROWS ONLY
) p
ORDER BY p.end_time :direction, p.event_id :direction
