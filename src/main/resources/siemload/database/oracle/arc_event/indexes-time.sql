-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local :index_tablespace;
