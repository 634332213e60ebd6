-- name: id
e.id

-- name: time
e.detect_time

-- name: json
JOIN events_json j ON j.id = e.id

-- name: page
-- One page: the rows are chosen first, then only theirs are joined with the JSON.
SELECT e.id, e.detect_time, j.event
FROM (
    SELECT e.id, :time AS detect_time
    FROM events e
    WHERE :conditions
    ORDER BY :time :direction, e.id :direction
    LIMIT :'limit' OFFSET :'offset'
) e
:json
ORDER BY e.detect_time :direction, e.id :direction

-- name: last-page
-- The last page where it is too large to be turned round by whoever asks: before the JSON is joined, while rows are small.
SELECT e.id, e.detect_time, j.event
FROM (
    SELECT l.id, l.detect_time
    FROM (
        SELECT e.id, :time AS detect_time
        FROM events e
        WHERE :conditions
        ORDER BY :time :reversed, e.id :reversed
        LIMIT :'limit'
    ) l
    ORDER BY l.detect_time :direction, l.id :direction
) e
:json
ORDER BY e.detect_time :direction, e.id :direction

-- name: whole
-- All rows in order.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id
WHERE :conditions
ORDER BY :time :direction, e.id :direction

-- name: whole-unsorted
-- All rows as they come.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id
WHERE :conditions

-- name: single
-- The event with an id: one row at most, so that there is no order and no page.
SELECT e.id, e.detect_time, j.event
FROM events e
:json
WHERE :conditions

-- name: count
SELECT count(*) FROM events e WHERE :conditions

-- name: timeline
-- How many events over time by a field; the field is the list of an event's values.
SELECT step.start, value.value, count(*)
FROM events e
CROSS JOIN LATERAL (
    SELECT date_bin(:'step'::interval, e.detect_time, :'origin'::timestamptz) AS start
) step
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY step.start, value.value
ORDER BY step.start, value.value

-- name: top-list
-- The most frequent values of a field; the field is the list of an event's values.
SELECT value.value, count(*)
FROM events e
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY value.value
ORDER BY count(*) DESC, value.value
LIMIT :'limit'

-- name: hidden
(:condition) IS TRUE

-- name: id-hidden
least(e.id)

-- name: time-hidden
least(e.detect_time)

-- name: field-category
e.category

-- name: field-detector
e.node_name

-- name: field-hour
ARRAY[to_char(e.detect_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')]

-- name: field-port
(e.source_port || e.target_port)::text[]

-- name: field-source
-- In decimal and of equal length, after the number of the family, so that texts have the order of addresses.
array_remove(ARRAY[coalesce(
    '4' || lpad(lower(e.source_ip4_hull)::text, 10, '0'),
    '6' || lpad(lower(e.source_ip6_hull)::text, 39, '0'))], NULL)

-- name: window-of-time-index
-- The same as condition-window.sql, but that an index of another kind than btree cannot answer it: no id sorts before ''.
(e.detect_time, e.id) >= (:'from', '') AND (e.detect_time, e.id) < (:'until', '')

-- name: condition-category
e.category && ARRAY[:'category']

-- name: condition-description
e.description = :'text'

-- name: condition-detector
e.node_name && ARRAY[:'detector']

-- name: condition-{side}-ip4
e.{side}_ip4_hull && :'address'::int8range AND e.{side}_ip4 && :'address'::int8range

-- name: condition-{side}-ip6
e.{side}_ip6_hull && :'address'::numrange AND e.{side}_ip6 && :'address'::numrange

-- name: condition-{side}-ip4-list
-- One of several.
e.{side}_ip4_hull && :'address'::int8multirange AND e.{side}_ip4 && :'address'::int8multirange

-- name: condition-{side}-ip6-list
e.{side}_ip6_hull && :'address'::nummultirange AND e.{side}_ip6 && :'address'::nummultirange

-- name: condition-{side}-port
e.{side}_port && ARRAY[:'port'::int]

-- name: condition-{side}-port-between
jsonb_path_exists(to_jsonb(e.{side}_port), '$[*] ? (@ >= $first && @ <= $last)', jsonb_build_object('first', :'first'::int, 'last', :'last'::int))

-- name: condition-{side}-no-address
isempty(e.{side}_ip4) AND isempty(e.{side}_ip6)

-- name: condition-{side}-no-port
cardinality(e.{side}_port) = 0

-- name: condition-no-category
cardinality(e.category) = 0

-- name: condition-no-description
e.description = ''

-- name: condition-text
position(:'text' IN e.description) > 0

-- name: condition-window
e.detect_time >= :'from' AND e.detect_time < :'until'

-- name: condition-after-key
(e.detect_time, e.id) > (:'detect_time', :'id')

-- name: condition-before-key
(e.detect_time, e.id) < (:'detect_time', :'id')

-- name: condition-id
e.id = :'id'
