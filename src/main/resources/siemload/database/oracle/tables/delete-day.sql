DELETE FROM :"table" t
WHERE t.:id IN (SELECT e.:event_id FROM :"event" e WHERE e.:time >= :'from' AND e.:time < :'until')
