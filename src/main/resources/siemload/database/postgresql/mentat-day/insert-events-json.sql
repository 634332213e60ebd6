INSERT INTO events_json (:columns) VALUES (:values) ON CONFLICT (id, detect_time) DO NOTHING
