-- name: remove-day
-- lock
LOCK TABLE ONLY events, ONLY events_json IN ACCESS EXCLUSIVE MODE;

-- the partitions
DROP TABLE events_:day, events_json_:day

-- name: partition
-- The rows of one day, such as 20160606, in UTC.
CREATE TABLE IF NOT EXISTS :"partition" PARTITION OF :"table"
FOR VALUES FROM (timestamptz ':day 00:00+00') TO (timestamptz ':day 00:00+00' + interval '24 hours')

-- name: partition-other
-- The rows of all days without a partition, so that no event is lost.
CREATE TABLE IF NOT EXISTS :"partition" PARTITION OF :"table" DEFAULT

-- name: partitioning
PARTITION BY RANGE (detect_time)

-- name: table-events-json
-- The whole event as IDEA JSON, with the detect time, so that the JSON of each day is in a separate partition.
CREATE TABLE events_json (
    id text COLLATE "C" NOT NULL,
    detect_time timestamptz NOT NULL,
    event bytea NOT NULL
) :partitioning

-- name: insert-events
-- The keys contain the detect time, so an id by itself is only unique within a day.
INSERT INTO events (:columns) VALUES (:values) ON CONFLICT (id, detect_time) DO NOTHING

-- name: insert-events-json
INSERT INTO events_json (:columns) VALUES (:values) ON CONFLICT (id, detect_time) DO NOTHING

-- name: primary-keys
-- primary key events
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id, detect_time);

-- primary key events_json
ALTER TABLE events_json ADD CONSTRAINT events_json_pkey PRIMARY KEY (id, detect_time);

-- name: indexes-native
-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);

-- index events_storage_time
CREATE INDEX events_storage_time ON events (storage_time);

-- index events_lists
CREATE INDEX events_lists ON events USING gin (
    category, node_name, protocol, source_port, target_port, source_type, target_type, node_type
);

-- name: presence
-- The number of the ids that are stored, and of those that are stored more than once. An event counts if both tables have it.
SELECT count(*), count(*) FILTER (WHERE times > 1)
FROM (
    SELECT id, count(*) AS times
    FROM events JOIN events_json USING (id, detect_time)
    WHERE id = ANY (:'ids'::text[])
    GROUP BY id
) stored

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
-- All rows without an order.
SELECT e.id, e.detect_time, j.event
FROM events e
JOIN events_json j ON j.id = :id AND j.detect_time = :time
WHERE :conditions

-- name: condition-json-window
-- The window also applies to the JSON, but the planner does not derive that. With this condition it leaves out the JSON of other days.
j.detect_time >= :'from' AND j.detect_time < :'until'
