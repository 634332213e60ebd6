-- The event with an id: one row at most, so that there is no order and no page.
SELECT e.id, e.detect_time, j.event
FROM events e
:json
WHERE :conditions
