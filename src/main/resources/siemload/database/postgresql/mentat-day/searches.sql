-- name: json
CROSS JOIN LATERAL (
    SELECT j.event FROM events_json j WHERE j.id = e.id AND j.detect_time = e.detect_time OFFSET 0
) j

-- name: whole
-- All rows in order.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id AND j.detect_time = :time
WHERE :conditions
ORDER BY :time :direction, e.id :direction

-- name: whole-unsorted
-- All rows as they come.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id AND j.detect_time = :time
WHERE :conditions

-- name: condition-json-window
-- What follows from the window of the events, which the planner does not see: only so it leaves out the JSON of other days.
j.detect_time >= :'from' AND j.detect_time < :'until'
