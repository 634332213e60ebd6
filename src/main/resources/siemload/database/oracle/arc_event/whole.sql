-- All rows in order.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction
