INSERT INTO events (:columns) VALUES (:values) ON CONFLICT (id) DO NOTHING
