-- name: partitioning
-- Empty, since these tables have no partitions.

-- name: table-events
-- The searched table: one row for each event. The hulls cover all addresses of one side, for the index. The multiranges are exact.
CREATE TABLE events (
    id text COLLATE "C" NOT NULL,
    detect_time timestamptz NOT NULL,
    storage_time timestamptz NOT NULL DEFAULT now(),
    category text[] NOT NULL,
    description text NOT NULL,
    source_ip4 int8multirange NOT NULL,
    target_ip4 int8multirange NOT NULL,
    source_ip4_hull int8range NOT NULL,
    target_ip4_hull int8range NOT NULL,
    source_ip6 nummultirange NOT NULL,
    target_ip6 nummultirange NOT NULL,
    source_ip6_hull numrange NOT NULL,
    target_ip6_hull numrange NOT NULL,
    source_port int[] NOT NULL,
    target_port int[] NOT NULL,
    source_type text[] NOT NULL,
    target_type text[] NOT NULL,
    protocol text[] NOT NULL,
    node_name text[] NOT NULL,
    node_type text[] NOT NULL
) :partitioning

-- name: table-events-json
-- The whole event as IDEA JSON in UTF-8; bytes, since neither text nor jsonb can hold the NUL characters of real events.
CREATE TABLE events_json (
    id text COLLATE "C" NOT NULL,
    event bytea NOT NULL
) :partitioning

-- name: insert-events
INSERT INTO events (:columns) VALUES (:values) ON CONFLICT (id) DO NOTHING

-- name: insert-events-json
INSERT INTO events_json (:columns) VALUES (:values) ON CONFLICT (id) DO NOTHING

-- name: copy
-- Loads rows of one table, or of one partition of it.
COPY :"table" (:columns) FROM STDIN (FORMAT binary, FREEZE :freeze)

-- name: contents-events
-- The number of rows, and a hash of them in any order. No index has both columns, so the table itself is read.
SELECT count(*), coalesce(bit_xor(hash_record_extended(ROW(id, detect_time), 0)), 0) FROM events

-- name: contents-events-json
SELECT count(*), coalesce(bit_xor(hash_record_extended(ROW(id, length(event)), 0)), 0) FROM events_json

-- name: remove-day
-- Row by row, as without partitions. The JSON is deleted first, since only the events have the day.
DELETE FROM events_json j
USING events e
WHERE e.id = j.id AND e.detect_time >= :'from'::timestamptz AND e.detect_time < :'until'::timestamptz;

-- the events
DELETE FROM events WHERE detect_time >= :'from'::timestamptz AND detect_time < :'until'::timestamptz

-- name: primary-keys
-- primary key events
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id);

-- primary key events_json
ALTER TABLE events_json ADD CONSTRAINT events_json_pkey PRIMARY KEY (id);

-- name: indexes-compound
-- extension btree_gin
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time, id);

-- index events_category
CREATE INDEX events_category ON events USING gin (category, detect_time);

-- index events_detector
CREATE INDEX events_detector ON events USING gin (node_name, detect_time);

-- index events_port
CREATE INDEX events_port ON events USING gin (source_port, target_port, detect_time);

-- name: indexes-compound-address
-- extension btree_gist
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- index events_address
CREATE INDEX events_address ON events USING gist (
    source_ip4_hull, target_ip4_hull, source_ip6_hull, target_ip6_hull, detect_time
);

-- name: indexes-fields
-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);

-- index events_category
CREATE INDEX events_category ON events USING gin (category);

-- index events_detector
CREATE INDEX events_detector ON events USING gin (node_name);

-- index events_port
CREATE INDEX events_port ON events USING gin (source_port, target_port);

-- name: indexes-fields-address
-- index events_address
CREATE INDEX events_address ON events USING gist (source_ip4_hull, target_ip4_hull, source_ip6_hull, target_ip6_hull);

-- name: indexes-native
-- foreign key events_json_id
ALTER TABLE events_json ADD CONSTRAINT events_json_id FOREIGN KEY (id) REFERENCES events (id) ON DELETE CASCADE;

-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);

-- index events_storage_time
CREATE INDEX events_storage_time ON events (storage_time);

-- index events_lists
CREATE INDEX events_lists ON events USING gin (
    category, node_name, protocol, source_port, target_port, source_type, target_type, node_type
);

-- name: indexes-native-address
-- index events_hulls
CREATE INDEX events_hulls ON events USING gist (source_ip4_hull, target_ip4_hull, source_ip6_hull, target_ip6_hull);

-- name: indexes-time
-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);

-- name: presence
-- The number of the ids that are stored, and of those that are stored more than once. An event counts if both tables have it.
SELECT count(*), count(*) FILTER (WHERE times > 1)
FROM (
    SELECT id, count(*) AS times
    FROM events JOIN events_json USING (id)
    WHERE id = ANY (:'ids'::text[])
    GROUP BY id
) stored

-- name: events
SELECT count(*) FROM events

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
-- The last page: the first page of the reversed order, sorted back before the JSON is joined, while rows are small.
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
-- All rows without an order.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id
WHERE :conditions

-- name: single
-- The event with an id: at most one row, so there is no order and no page.
SELECT e.id, e.detect_time, j.event
FROM events e
:json
WHERE :conditions

-- name: count
SELECT count(*) FROM events e WHERE :conditions

-- name: timeline
-- The number of events over time by a field. The field is the list of an event's values.
SELECT step.start, value.value, count(*)
FROM events e
CROSS JOIN LATERAL (
    SELECT date_bin(:'step'::interval, e.detect_time, :'from'::timestamptz) AS start
) step
CROSS JOIN LATERAL (SELECT DISTINCT unnest(:field) COLLATE "C" AS value) value
WHERE :conditions
GROUP BY step.start, value.value
ORDER BY step.start, value.value

-- name: top-list
-- The most frequent values of a field. The field is the list of an event's values.
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
-- The family, then the address in decimal digits of equal length, so that texts have the order of addresses.
array_remove(ARRAY[coalesce(
    '4' || lpad(lower(e.source_ip4_hull)::text, 10, '0'),
    '6' || lpad(lower(e.source_ip6_hull)::text, 39, '0'))], NULL)

-- name: condition-window-hidden
-- The same as condition-window, but only a btree index can answer it. No id sorts before ''.
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
(e.detect_time, e.id) > (:'time', :'id')

-- name: condition-before-key
(e.detect_time, e.id) < (:'time', :'id')

-- name: condition-id
e.id = :'id'
