-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local :index_tablespace;

-- index addr_address
CREATE INDEX :"addr_address" ON :"addr" (side, address_lo, address_hi) :index_tablespace;

-- index list_text
CREATE INDEX :"list_text" ON :"list" (field, text) :index_tablespace;
