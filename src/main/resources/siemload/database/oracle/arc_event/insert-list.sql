INSERT INTO :"list" (event_id, field, text) VALUES (:'event_id', :'field', :'text')
