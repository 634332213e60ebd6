-- The side of the address is that of the port.
EXISTS (SELECT 1 FROM :"addr" a JOIN :"list" l ON l.event_id = a.event_id AND l.field = a.side
    WHERE a.event_id = e.event_id AND a.address_lo <= :'last' AND a.address_hi >= :'first' AND l.text = :'port_text')
