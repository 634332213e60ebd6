-- name: copy
-- The same statement has created the two tables.
INSERT INTO :"table" SELECT * FROM :"kept"

-- name: delete-all
-- Deletes row by row, as a user would. TRUNCATE would only give the space back.
DELETE FROM :"table"

-- name: drop-index
DROP INDEX :"index"

-- name: drop-table
DROP TABLE :"table"

-- name: events
SELECT COUNT(*) FROM :"table"

-- name: settings-unseen
-- Shown in place of the settings to a user who may not see them.
not visible to this user

-- name: present
-- The stored ones of these ids, and how often each is stored.
SELECT e.event_id, COUNT(*) FROM :"event" e WHERE e.event_id IN (:ids) GROUP BY e.event_id

-- name: lists-category
-- All blocks from here on are the common parts of searches, for the columns of the layout arc_event.
LEFT JOIN :"list" l ON l.event_id = e.event_id AND l.field = 'C'

-- name: lists-detector
LEFT JOIN :"list" l ON l.event_id = e.event_id AND l.field = 'D'

-- name: condition-{side}-no-address
e.{side}_addresses = 0

-- name: condition-{side}-no-port
e.{side}_port IS NULL

-- name: condition-description
e.name = :'text'

-- name: condition-no-category
e.category IS NULL

-- name: condition-window
e.end_time >= :'from' AND e.end_time < :'until'

-- name: condition-after-key
e.end_time >= :'time' AND (e.end_time > :'time' OR e.event_id > :'id')

-- name: condition-before-key
e.end_time <= :'time' AND (e.end_time < :'time' OR e.event_id < :'id')

-- name: condition-id
e.event_id = :'id'
