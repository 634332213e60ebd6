-- name: page
-- One page. The hint comes right after SELECT and names the table by its alias e.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction
OFFSET :'offset' ROWS FETCH NEXT :'limit' ROWS ONLY

-- name: last-page
-- The last page: the first one of the reversed order, turned round.
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
-- All rows as they come.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions

-- name: count
SELECT :hint COUNT(*) FROM :"event" e WHERE :conditions

-- name: timeline
-- How many events over time by a field; a step is a number of seconds from the start of the window.
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
e.category IN (:'text', :'several') AND (e.category = :'text' OR EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'C' AND l.text = :'text'))

-- name: condition-detector
e.device_host_name IN (:'text', :'several') AND (e.device_host_name = :'text' OR EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'D' AND l.text = :'text'))

-- name: condition-{side}-address
e.{side}_address_lo <= :'last' AND e.{side}_address_hi >= :'first'
    AND (e.{side}_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = '{S}'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))

-- name: condition-{side}-port
e.{side}_port = :'port' OR e.{side}_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}' AND l.text = :'port_text')

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
