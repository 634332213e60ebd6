-- All rows as they come.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id AND j.detect_time = :time
WHERE :conditions
