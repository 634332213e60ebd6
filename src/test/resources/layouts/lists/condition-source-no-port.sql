NOT EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'S')
