e.source_address_lo <= :'last' AND e.source_address_hi >= :'first'
    AND (e.source_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'S'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))
    AND (e.source_port = :'port' OR e.source_port = -1 AND EXISTS (
        SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'S' AND l.text = :'port_text'))
OR e.target_address_lo <= :'last' AND e.target_address_hi >= :'first'
    AND (e.target_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'T'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))
    AND (e.target_port = :'port' OR e.target_port = -1 AND EXISTS (
        SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'T' AND l.text = :'port_text'))
