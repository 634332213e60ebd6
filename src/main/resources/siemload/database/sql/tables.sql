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

-- name: settings-unseen
-- In their place for a user who has no right to see them.
not visible to this user

-- name: present
-- Which of these ids are stored, and how often.
SELECT e.event_id, COUNT(*) FROM :"event" e WHERE e.event_id IN (:ids) GROUP BY e.event_id

-- name: lists-category
-- From here on what searches have in common, in the columns of the layout arc_event.
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
