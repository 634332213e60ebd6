-- The layout "columns" and all that is asked of DuckDB. :'name' is a bound value, :name a part of the statement, :"name" a table or
-- index of a group; replace them to run a block by hand. Columns are those of Oracle's arc_event: an address is a family byte (04 or 06)
-- and its bytes; chr(0) || '*', and -1 for a port, mean that the values stand in the table list.

-- name: about
SELECT version()

-- name: settings
SELECT name, value FROM duckdb_settings()
WHERE name IN ('threads', 'memory_limit', 'checkpoint_threshold', 'index_scan_max_count', 'index_scan_percentage')

-- name: bytes
unhex(':hex')

-- name: now
SELECT now()

-- name: object-numbers
SELECT table_name, coalesce(comment, 'none') FROM duckdb_tables()
WHERE table_name LIKE :'prefix' || '\_%' ESCAPE '\'
ORDER BY table_name

-- name: relation-sizes
-- Of what checkpoints have written; indexes have no size that could be asked for.
SELECT s.name, count(DISTINCT s.block_id) * 262144
FROM (
    SELECT ':event' AS name, block_id FROM pragma_storage_info(':event') WHERE persistent
    UNION ALL SELECT ':addr', block_id FROM pragma_storage_info(':addr') WHERE persistent
    UNION ALL SELECT ':list', block_id FROM pragma_storage_info(':list') WHERE persistent
) s
WHERE starts_with(s.name, :'prefix')
GROUP BY s.name

-- name: create-registry
CREATE TABLE siemload_tables (
    entry_key VARCHAR PRIMARY KEY,
    name VARCHAR NOT NULL,
    purpose VARCHAR NOT NULL,
    fingerprint VARCHAR,
    label VARCHAR,
    identity VARCHAR,
    contents VARCHAR,
    events BIGINT NOT NULL,
    holder VARCHAR,
    beat BIGINT NOT NULL,
    seen BIGINT NOT NULL
)

-- name: statistics
ANALYZE :"table"

-- name: checkpoint
-- take a checkpoint
CHECKPOINT

-- name: explain
EXPLAIN (ANALYZE, FORMAT JSON) :statement

-- name: table-event
CREATE TABLE :"event" (
    event_id BLOB NOT NULL,
    external_id VARCHAR,
    end_time TIMESTAMP NOT NULL,
    name VARCHAR,
    category VARCHAR,
    device_host_name VARCHAR,
    source_addresses BIGINT NOT NULL,
    source_address_lo BLOB,
    source_address_hi BLOB,
    target_addresses BIGINT NOT NULL,
    target_address_lo BLOB,
    target_address_hi BLOB,
    source_port BIGINT,
    target_port BIGINT,
    transport_protocol VARCHAR,
    application_protocol VARCHAR,
    base_event_count BIGINT NOT NULL,
    long_name VARCHAR,
    raw_event BLOB NOT NULL
);
COMMENT ON TABLE :"event" IS ':mark'

-- name: table-addr
CREATE TABLE :"addr" (event_id BLOB NOT NULL, side VARCHAR NOT NULL, address_lo BLOB NOT NULL, address_hi BLOB NOT NULL);
COMMENT ON TABLE :"addr" IS ':mark'

-- name: table-list
CREATE TABLE :"list" (event_id BLOB NOT NULL, field VARCHAR NOT NULL, text VARCHAR NOT NULL);
COMMENT ON TABLE :"list" IS ':mark'

-- name: keys
-- index event_pk
CREATE UNIQUE INDEX :"event_pk" ON :"event" (event_id);

-- name: indexes-time
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time);

-- name: indexes-fields
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time);

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category);

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name);

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo);

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo);

-- index event_source_port
CREATE INDEX :"event_source_port" ON :"event" (source_port);

-- index event_target_port
CREATE INDEX :"event_target_port" ON :"event" (target_port);

-- name: page
SELECT e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction
LIMIT :'limit' OFFSET :'offset'

-- name: last-page
-- The last page: the first one of the reversed order, turned round.
SELECT p.event_id, p.end_time, p.raw_event
FROM (
    SELECT e.event_id, e.end_time, e.raw_event
    FROM :"event" e
    WHERE :conditions
    ORDER BY e.end_time :reversed, e.event_id :reversed
    LIMIT :'limit'
) p
ORDER BY p.end_time :direction, p.event_id :direction

-- name: whole
SELECT e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction

-- name: whole-unsorted
SELECT e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions

-- name: count
SELECT count(*) FROM :"event" e WHERE :conditions

-- name: timeline
-- How many events over time by a field; a step is a number of seconds from the start of the window.
SELECT t.step, t.text, count(DISTINCT t.event_id) AS events
FROM (
    SELECT e.event_id, :field AS text,
        (epoch_us(e.end_time) - epoch_us(CAST(:'from' AS TIMESTAMP))) // (CAST(:'seconds' AS BIGINT) * 1000000) AS step
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.step, t.text
ORDER BY t.step, t.text

-- name: top-list
SELECT t.text, count(DISTINCT t.event_id) AS events
FROM (
    SELECT e.event_id, :field AS text
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.text
ORDER BY events DESC, t.text
LIMIT :'limit'

-- name: field-category
coalesce(l.text, e.category)

-- name: field-detector
coalesce(l.text, e.device_host_name)

-- name: field-hour
strftime(e.end_time, '%Y-%m-%dT%H:00:00Z')

-- name: field-port
coalesce(l.text, CAST(CASE s.side WHEN 'S' THEN e.source_port ELSE e.target_port END AS VARCHAR))

-- name: field-source
hex(e.source_address_lo)

-- name: lists-port
CROSS JOIN (VALUES ('S'), ('T')) s(side)
    LEFT JOIN :"list" l ON l.event_id = e.event_id AND l.field = s.side

-- name: condition-category
e.category = :'category' OR e.category = chr(0) || '*' AND e.event_id IN (
    SELECT l.event_id FROM :"list" l WHERE l.field = 'C' AND l.text = :'category')

-- name: condition-detector
e.device_host_name = :'detector' OR e.device_host_name = chr(0) || '*' AND e.event_id IN (
    SELECT l.event_id FROM :"list" l WHERE l.field = 'D' AND l.text = :'detector')

-- name: condition-{side}-address
e.{side}_address_lo <= :'last' AND e.{side}_address_hi >= :'first' AND (e.{side}_addresses = 1 OR e.event_id IN (
    SELECT a.event_id FROM :"addr" a WHERE a.side = '{S}' AND a.address_lo <= :'last' AND a.address_hi >= :'first'))

-- name: condition-{side}-port
e.{side}_port = :'port' OR e.{side}_port = -1 AND e.event_id IN (
    SELECT l.event_id FROM :"list" l WHERE l.field = '{S}' AND l.text = CAST(:'port' AS VARCHAR))

-- name: condition-{side}-port-between
e.{side}_port BETWEEN :'first' AND :'last' OR e.{side}_port = -1 AND e.event_id IN (
    SELECT l.event_id FROM :"list" l WHERE l.field = '{S}' AND TRY_CAST(l.text AS BIGINT) BETWEEN :'first' AND :'last')

-- name: condition-long-description
e.long_name = :'text'

-- name: condition-text
contains(e.name, :'text') OR contains(e.long_name, :'text')

-- name: condition-no-description
coalesce(e.name, '') = '' AND e.long_name IS NULL

-- name: errors
-- The starts of errors, as patterns; their kinds; and advice. The first line that fits counts.
08001  CONNECTION  The driver is missing: -Dtarget=duckdb for Maven or --target duckdb for ./siemload fetches it
.*Could not set lock  CONNECTION  Only one process at a time can open the file: end the other process, or use another file
.*uplicate key   OTHER/DUPLICATE
Catalog Error: Table .*does not exist  REFUSED/NO_TABLE
Catalog Error: Index .*does not exist  REFUSED/NO_INDEX
Catalog Error: .*already exists  REFUSED/NAME_TAKEN
TransactionContext Error:  OTHER/IN_USE
INTERRUPT Error:  CANCELLED
(IO|Connection|FATAL) Error:  CONNECTION
(Catalog|Out of Memory|Permission) Error:  REFUSED
