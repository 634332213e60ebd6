-- name: partitioning
PARTITION BY RANGE (end_time) INTERVAL (NUMTODSINTERVAL(1, 'DAY'))
(PARTITION before_2000 VALUES LESS THAN (TIMESTAMP '2000-01-01 00:00:00'))

-- name: table-addr
-- The addresses of a side (S or T) that has several.
CREATE TABLE :"addr" (
    event_id RAW(2000) NOT NULL,
    side VARCHAR2(1 BYTE) NOT NULL,
    address_lo RAW(17) NOT NULL,
    address_hi RAW(17) NOT NULL
)

-- name: table-event
-- The searched table: one row for each event. An address is a family byte (04 or 06) and its bytes, so that both families have
-- one order. The columns lo and hi cover all addresses of a side, and are exact if there is only one. If an event has several
-- categories, devices or ports, the column contains a mark, and the table list contains the values.
CREATE TABLE :"event" (
    event_id RAW(2000) NOT NULL,
    external_id VARCHAR2(2000 BYTE),
    end_time TIMESTAMP(6) NOT NULL,
    manager_receipt_time TIMESTAMP(6) DEFAULT LOCALTIMESTAMP NOT NULL,
    name VARCHAR2(4000 BYTE),
    category VARCHAR2(2000 BYTE),
    device_host_name VARCHAR2(2000 BYTE),
    source_addresses NUMBER(9) NOT NULL,
    source_address_lo RAW(17),
    source_address_hi RAW(17),
    target_addresses NUMBER(9) NOT NULL,
    target_address_lo RAW(17),
    target_address_hi RAW(17),
    source_port NUMBER(5),
    target_port NUMBER(5),
    transport_protocol VARCHAR2(2000 BYTE),
    application_protocol VARCHAR2(2000 BYTE),
    base_event_count NUMBER(19) NOT NULL,
    long_name CLOB,
    raw_event BLOB NOT NULL
)
:partitioning

-- name: table-list
-- The values of a field with several values in an event: C category, D device, S source port, T target port.
CREATE TABLE :"list" (
    event_id RAW(2000) NOT NULL,
    field VARCHAR2(1 BYTE) NOT NULL,
    text VARCHAR2(2000 BYTE) NOT NULL
)

-- name: insert-addr
INSERT INTO :"addr" (event_id, side, address_lo, address_hi) VALUES (:'id', :'side', :'first', :'last')

-- name: insert-event
-- Large objects come last (ORA-24816).
INSERT INTO :"event" (
    event_id, external_id, end_time, name, category, device_host_name,
    source_addresses, source_address_lo, source_address_hi, target_addresses, target_address_lo, target_address_hi,
    source_port, target_port, transport_protocol, application_protocol, base_event_count, long_name, raw_event)
VALUES (
    :'id', :'id_text', :'detect_time', :'description', :'category', :'detector',
    :'source_addresses', :'source_first', :'source_last', :'target_addresses', :'target_first', :'target_last',
    :'source_port', :'target_port', :'first_protocol', :'last_protocol', :'connections', :'long_description', :'json')

-- name: insert-list
INSERT INTO :"list" (event_id, field, text) VALUES (:'id', :'field', :'text')

-- name: keys
-- primary key event_pk
ALTER TABLE :"event" ADD CONSTRAINT :"event_pk" PRIMARY KEY (event_id);

-- index addr_event
CREATE INDEX :"addr_event" ON :"addr" (event_id);

-- index list_event
CREATE INDEX :"list_event" ON :"list" (event_id);

-- name: indexes-compound
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local;

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo, source_address_hi, end_time) :local;

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo, target_address_hi, end_time) :local;

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category, end_time, event_id) COMPRESS 1 :local;

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name, end_time, event_id) COMPRESS 1 :local;

-- index event_source_port
CREATE INDEX :"event_source_port" ON :"event" (source_port, end_time, event_id) COMPRESS 1 :local;

-- index event_target_port
CREATE INDEX :"event_target_port" ON :"event" (target_port, end_time, event_id) COMPRESS 1 :local;

-- name: indexes-fields
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local;

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo, source_address_hi) :local;

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo, target_address_hi) :local;

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category) :local;

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name) :local;

-- index event_source_port
CREATE INDEX :"event_source_port" ON :"event" (source_port) :local;

-- index event_target_port
CREATE INDEX :"event_target_port" ON :"event" (target_port) :local;

-- name: indexes-native
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local;

-- index event_receipt
CREATE INDEX :"event_receipt" ON :"event" (manager_receipt_time) :local;

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo, source_address_hi) :local;

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo, target_address_hi) :local;

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category, end_time, event_id) COMPRESS 1 :local;

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name, end_time, event_id) COMPRESS 1 :local;

-- name: indexes-time
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local;

-- name: page
-- One page. The hint comes right after SELECT and names the table by its alias e.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction
OFFSET :'offset' ROWS FETCH NEXT :'limit' ROWS ONLY

-- name: last-page
-- The last page: the first page of the reversed order, sorted back.
SELECT p.event_id, p.end_time, p.raw_event
FROM (
    SELECT :hint e.event_id, e.end_time, e.raw_event
    FROM :"event" e
    WHERE :conditions
    ORDER BY e.end_time :reversed, e.event_id :reversed
    FETCH FIRST :'limit' ROWS ONLY
) p
ORDER BY p.end_time :direction, p.event_id :direction

-- name: whole
-- All rows in order.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction

-- name: whole-unsorted
-- All rows without an order.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions

-- name: count
SELECT :hint COUNT(*) FROM :"event" e WHERE :conditions

-- name: timeline
-- The number of events over time by a field. A step is a number of seconds from the start of the window.
SELECT t.step, t.text, COUNT(DISTINCT t.event_id) AS events
FROM (
    SELECT :hint e.event_id, :field AS text, FLOOR((
        EXTRACT(DAY FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 86400
        + EXTRACT(HOUR FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 3600
        + EXTRACT(MINUTE FROM e.end_time - CAST(:'from' AS TIMESTAMP)) * 60
        + EXTRACT(SECOND FROM e.end_time - CAST(:'from' AS TIMESTAMP))) / :'seconds') AS step
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.step, t.text
ORDER BY t.step, t.text

-- name: top-list
-- The most frequent values of a field.
SELECT t.text, COUNT(DISTINCT t.event_id)
FROM (
    SELECT :hint e.event_id, :field AS text
    FROM :"event" e
    :lists
    WHERE :conditions
) t
WHERE t.text IS NOT NULL
GROUP BY t.text
ORDER BY COUNT(DISTINCT t.event_id) DESC, t.text
FETCH FIRST :'limit' ROWS ONLY

-- name: field-category
NVL(l.text, e.category)

-- name: field-detector
NVL(l.text, e.device_host_name)

-- name: field-hour
TO_CHAR(e.end_time, 'YYYY-MM-DD"T"HH24":00:00Z"')

-- name: field-port
NVL(l.text, TO_CHAR(CASE s.side WHEN 'S' THEN e.source_port ELSE e.target_port END))

-- name: field-source
RAWTOHEX(e.source_address_lo)

-- name: lists-port
CROSS JOIN (SELECT 'S' AS side FROM DUAL UNION ALL SELECT 'T' AS side FROM DUAL) s
    LEFT JOIN :"list" l ON l.event_id = e.event_id AND l.field = s.side

-- name: condition-category
e.category IN (:'category', CHR(0) || '*') AND (e.category = :'category' OR EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'C' AND l.text = :'category'))

-- name: condition-detector
e.device_host_name IN (:'detector', CHR(0) || '*') AND (e.device_host_name = :'detector' OR EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'D' AND l.text = :'detector'))

-- name: condition-{side}-address
e.{side}_address_lo <= :'last' AND e.{side}_address_hi >= :'first'
    AND (e.{side}_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = '{S}'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))

-- name: condition-{side}-port
e.{side}_port = :'port' OR e.{side}_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}' AND l.text = TO_CHAR(:'port'))

-- name: condition-{side}-port-between
e.{side}_port BETWEEN :'first' AND :'last' OR e.{side}_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}'
        AND CAST(CASE l.field WHEN '{S}' THEN l.text END AS NUMBER) BETWEEN :'first' AND :'last')

-- name: condition-long-description
INSTR(e.long_name, :'text') = 1 AND LENGTH(e.long_name) = LENGTH(:'text')

-- name: condition-no-description
e.name IS NULL AND e.long_name IS NULL

-- name: condition-text
INSTR(e.name, :'text') > 0 OR INSTR(e.long_name, :'text') > 0
