-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local :index_tablespace;

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo, source_address_hi) :local :index_tablespace;

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo, target_address_hi) :local :index_tablespace;

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category) :local :index_tablespace;

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name) :local :index_tablespace;

-- index event_source_port
CREATE INDEX :"event_source_port" ON :"event" (source_port) :local :index_tablespace;

-- index event_target_port
CREATE INDEX :"event_target_port" ON :"event" (target_port) :local :index_tablespace;
