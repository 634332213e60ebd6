-- A key has the detect time in it, so that an id alone is unique within a day only.
INSERT INTO events (:columns) VALUES (:values) ON CONFLICT (id, detect_time) DO NOTHING
