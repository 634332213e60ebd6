-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local :index_tablespace;

-- index event_receipt
CREATE INDEX :"event_receipt" ON :"event" (manager_receipt_time) :local :index_tablespace;

-- index event_source
CREATE INDEX :"event_source" ON :"event" (source_address_lo, source_address_hi) :local :index_tablespace;

-- index event_target
CREATE INDEX :"event_target" ON :"event" (target_address_lo, target_address_hi) :local :index_tablespace;

-- index event_category
CREATE INDEX :"event_category" ON :"event" (category, end_time, event_id) COMPRESS 1 :local :index_tablespace;

-- index event_device
CREATE INDEX :"event_device" ON :"event" (device_host_name, end_time, event_id) COMPRESS 1 :local :index_tablespace;
