INSERT INTO events_json (id, event) VALUES (:'id', :'event') ON CONFLICT (id) DO NOTHING
