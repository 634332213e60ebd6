-- Those of the events of a day, which only the events know.
DELETE FROM events_json j
USING events e
WHERE e.id = j.id AND e.detect_time >= :'from'::timestamptz AND e.detect_time < :'until'::timestamptz
