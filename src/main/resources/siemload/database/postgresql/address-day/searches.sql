-- name: event-and-time
:event, a.detect_time

-- name: id-and-time
-- By day a lookup finds the time of an event as well, which leads to its partition.
(:id, e.detect_time)
