-- name: delete
DELETE FROM :table WHERE entry_key = :'key' AND beat = :'beat'

-- name: find
-- Whether it is there, with all of its columns.
SELECT entry_key, name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen FROM :table WHERE 1 = 0

-- name: insert
INSERT INTO :table (name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen, entry_key)
VALUES (:'name', :'purpose', :'fingerprint', :'label', :'identity', :'contents', :'events', :'holder', :'beat', :'seen', :'key')

-- name: list
SELECT name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen FROM :table

-- name: replace
-- Only if nobody has changed it in between.
UPDATE :table
SET name = :'name', purpose = :'purpose', fingerprint = :'fingerprint', label = :'label', identity = :'identity',
    contents = :'contents', events = :'events', holder = :'holder', beat = :'beat', seen = :'seen'
WHERE entry_key = :'key' AND beat = :'earlier_beat'
