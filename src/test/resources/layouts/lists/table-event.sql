CREATE TABLE :"event" (
    event_id RAW(2000) NOT NULL,
    end_time TIMESTAMP(6) NOT NULL,
    name VARCHAR2(4000 BYTE),
    long_name CLOB,
    raw_event BLOB NOT NULL
) :data_tablespace
:partitioning
