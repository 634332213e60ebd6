INSERT INTO events_json (:columns) VALUES (:values) ON CONFLICT (id) DO NOTHING
