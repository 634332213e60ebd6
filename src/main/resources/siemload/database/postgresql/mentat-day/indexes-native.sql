-- index events_detect_time
CREATE INDEX events_detect_time ON events (detect_time);

-- index events_storage_time
CREATE INDEX events_storage_time ON events (storage_time);

-- index events_lists
CREATE INDEX events_lists ON events USING gin (
    category, node_name, protocol, source_port, target_port, source_type, target_type, node_type
);
