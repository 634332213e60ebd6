-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);
