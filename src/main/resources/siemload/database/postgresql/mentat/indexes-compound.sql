-- extension btree_gin
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time, id);

-- index events_category
CREATE INDEX events_category ON events USING gin (category, detect_time);

-- index events_detector
CREATE INDEX events_detector ON events USING gin (node_name, detect_time);

-- index events_port
CREATE INDEX events_port ON events USING gin (source_port, target_port, detect_time);
