-- primary key events
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (id, detect_time);

-- primary key events_json
ALTER TABLE events_json ADD CONSTRAINT events_json_pkey PRIMARY KEY (id, detect_time);
