-- What belongs to an event that is gone.
DELETE FROM :"table" t WHERE NOT EXISTS (SELECT 1 FROM :"event" e WHERE e.:event_id = t.:id)
