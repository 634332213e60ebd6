-- Which of these ids are stored, and how often.
SELECT e.event_id, COUNT(*) FROM :"event" e WHERE e.event_id IN (:ids) GROUP BY e.event_id
