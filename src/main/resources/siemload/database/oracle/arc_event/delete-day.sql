DELETE FROM :"table" t
WHERE t.event_id IN (SELECT e.event_id FROM :"event" e WHERE e.end_time >= :'from' AND e.end_time < :'until')
