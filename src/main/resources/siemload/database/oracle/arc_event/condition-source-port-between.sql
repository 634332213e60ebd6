e.source_port BETWEEN :'first' AND :'last' OR e.source_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'S'
        AND CAST(CASE l.field WHEN 'S' THEN l.text END AS NUMBER) BETWEEN :'first' AND :'last')
