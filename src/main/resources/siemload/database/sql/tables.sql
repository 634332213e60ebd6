-- name: copy
-- Both have been made by the same statement.
INSERT INTO :"table" SELECT * FROM :"kept"

-- name: delete-all
-- Row by row, as a user would; TRUNCATE would only give the space back.
DELETE FROM :"table"

-- name: drop-index
DROP INDEX :"index"

-- name: drop-table
DROP TABLE :"table"

-- name: events
SELECT COUNT(*) FROM :"table"

-- name: find-registry
SELECT entry_key, name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen
FROM siemload_tables
WHERE 1 = 0

-- name: present
-- Which of these ids are stored, and how often.
SELECT e.event_id, COUNT(*) FROM :"event" e WHERE e.event_id IN (:ids) GROUP BY e.event_id
