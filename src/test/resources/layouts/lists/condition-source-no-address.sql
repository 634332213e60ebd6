NOT EXISTS (SELECT 1 FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'S')
