JOIN :"list" l ON l.event_id = e.event_id AND l.field IN ('S', 'T')
