INSERT INTO events_json (id, detect_time, event)
VALUES (:'id', :'detect_time', :'event') ON CONFLICT (id, detect_time) DO NOTHING
