EXISTS (SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field IN ('S', 'T')
    AND CAST(CASE WHEN l.field IN ('S', 'T') THEN l.text END AS NUMBER) BETWEEN :'first' AND :'last')
