INSERT INTO :table (name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen, entry_key)
VALUES (:'name', :'purpose', :'fingerprint', :'label', :'identity', :'contents', :'events', :'holder', :'beat', :'seen', :'key')
