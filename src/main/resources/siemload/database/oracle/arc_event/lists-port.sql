CROSS JOIN (SELECT 'S' AS side FROM DUAL UNION ALL SELECT 'T' AS side FROM DUAL) s
    LEFT JOIN :"list" l ON l.event_id = e.event_id AND l.field = s.side
