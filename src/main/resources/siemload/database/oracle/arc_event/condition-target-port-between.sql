e.target_port BETWEEN :'first' AND :'last' OR e.target_port = -1 AND EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'T'
        AND CAST(CASE l.field WHEN 'T' THEN l.text END AS NUMBER) BETWEEN :'first' AND :'last')
