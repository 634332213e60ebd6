e.target_address_lo <= :'last' AND e.target_address_hi >= :'first'
    AND (e.target_addresses = 1 OR EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'T'
        AND a.address_lo <= :'last' AND a.address_hi >= :'first'))
