-- The event with an id: one row at most, so that there is no order and no page. Without a time each partition is looked into.
SELECT e.id, e.detect_time, j.event
FROM events e
CROSS JOIN LATERAL (
    SELECT j.event FROM events_json j WHERE j.id = e.id AND j.detect_time = e.detect_time OFFSET 0
) j
WHERE :conditions
