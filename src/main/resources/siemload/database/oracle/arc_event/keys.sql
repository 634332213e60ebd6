-- primary key event_pk
ALTER TABLE :"event" ADD CONSTRAINT :"event_pk" PRIMARY KEY (event_id) :key_tablespace;

-- index addr_event
CREATE INDEX :"addr_event" ON :"addr" (event_id) :index_tablespace;

-- index list_event
CREATE INDEX :"list_event" ON :"list" (event_id) :index_tablespace;
