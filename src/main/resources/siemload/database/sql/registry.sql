-- name: delete
DELETE FROM :table WHERE entry_key = :'key' AND beat = :'beat'

-- name: find
-- Fails if the table is missing, or lacks a column.
SELECT entry_key, name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen FROM :table WHERE 1 = 0

-- name: insert
INSERT INTO :table (name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen, entry_key)
VALUES (:'name', :'purpose', :'fingerprint', :'label', :'identity', :'contents', :'events', :'holder', :'beat', :'seen', :'key')

-- name: list
SELECT name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen FROM :table

-- name: replace
-- Changes an entry only if no other process has changed it in between.
UPDATE :table
SET name = :'name', purpose = :'purpose', fingerprint = :'fingerprint', label = :'label', identity = :'identity',
    contents = :'contents', events = :'events', holder = :'holder', beat = :'beat', seen = :'seen'
WHERE entry_key = :'key' AND beat = :'earlier_beat'
