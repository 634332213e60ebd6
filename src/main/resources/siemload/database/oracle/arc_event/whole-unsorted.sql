-- All rows as they come.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
