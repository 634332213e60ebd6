e.source_address_lo <= :'last' AND e.source_address_hi >= :'first'
    AND (e.source_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'S'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))
