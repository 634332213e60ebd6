e.target_port = :'port' OR e.target_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'T' AND l.text = :'port_text')
