-- name: field-category
l.text

-- name: field-detector
l.text

-- name: field-port
l.text

-- name: field-source
(SELECT MIN(RAWTOHEX(a.address_lo)) FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'S')

-- name: lists-category
JOIN :"list" l ON l.event_id = e.event_id AND l.field = 'C'

-- name: lists-detector
JOIN :"list" l ON l.event_id = e.event_id AND l.field = 'D'

-- name: lists-port
JOIN :"list" l ON l.event_id = e.event_id AND l.field IN ('S', 'T')

-- name: condition-category
EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'C' AND l.text = :'text')

-- name: condition-detector
EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'D' AND l.text = :'text')

-- name: condition-no-category
NOT EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'C')

-- name: condition-one-side
-- The side of the address is that of the port.
EXISTS (SELECT 1 FROM :"addr" a JOIN :"list" l ON l.event_id = a.event_id AND l.field = a.side
    WHERE a.event_id = e.event_id AND a.address_lo <= :'last' AND a.address_hi >= :'first' AND l.text = :'port_text')

-- name: condition-{side}-address
EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = '{S}' AND a.address_lo <= :'last' AND a.address_hi >= :'first')

-- name: condition-{side}-no-address
NOT EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = '{S}')

-- name: condition-{side}-no-port
NOT EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}')

-- name: condition-{side}-port
EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}' AND l.text = :'port_text')

-- name: condition-{side}-port-between
EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = '{S}'
    AND CAST(CASE WHEN l.field IN ('S', 'T') THEN l.text END AS NUMBER) BETWEEN :'first' AND :'last')
