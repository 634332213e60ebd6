-- name: times
-- The times of the oldest and the newest event, the number of events, and that of events without a time in a window. A layout may leave the
-- last number out.
SELECT min(:time) FILTER (WHERE isfinite(:time)), max(:time) FILTER (WHERE isfinite(:time)), count(*),
    count(*) FILTER (WHERE isfinite(:time) IS NOT TRUE)
FROM :from

-- name: page
-- One page of the rows of a table, or of a join.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction
LIMIT :'limit' OFFSET :'offset'

-- name: last-page
-- The last page: the first page of the reversed order, sorted back.
SELECT l.id, l.detect_time, l.event
FROM (
    SELECT :id AS id, :time AS detect_time, coalesce((:json)::text, '') AS event
    FROM :from
    WHERE :conditions
    ORDER BY :time :reversed, :id :reversed
    LIMIT :'limit'
) l
ORDER BY l.detect_time :direction, l.id :direction

-- name: whole
-- All rows in order.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions
ORDER BY :time :direction, :id :direction

-- name: whole-unsorted
-- All rows without an order.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions

-- name: single
-- The row with an id: at most one, so there is no order and no page.
SELECT :id, :time, coalesce((:json)::text, '')
FROM :from
WHERE :conditions

-- name: count
SELECT count(*)
FROM :from
WHERE :conditions

-- name: timeline
-- The number of events over time by a field. The field is the list of an event's values.
SELECT step.start, value.value, count(*)
FROM :from
CROSS JOIN LATERAL (SELECT date_bin(:'step'::interval, :time, :'from'::timestamptz) AS start) step
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY step.start, value.value
ORDER BY step.start, value.value

-- name: top-list
-- The most frequent values of a field. The field is the list of an event's values.
SELECT value.value, count(*)
FROM :from
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY value.value
ORDER BY count(*) DESC, value.value
LIMIT :'limit'

-- name: hidden
(:condition) IS TRUE

-- name: id-hidden
least(:id)

-- name: time-hidden
least(:time)

-- name: field-hour
ARRAY[to_char(:time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')]

-- name: condition-window
:time >= :'from' AND :time < :'until'

-- name: condition-after-key
(:time, :id) > (:'time', :'id')

-- name: condition-before-key
(:time, :id) < (:'time', :'id')

-- name: condition-id
:id = :'id'
