-- name: table-addr
CREATE TABLE :"addr" (
    event_id RAW(2000) NOT NULL,
    happened TIMESTAMP(6) NOT NULL,
    side VARCHAR2(1 BYTE) NOT NULL,
    address_lo RAW(17) NOT NULL,
    address_hi RAW(17) NOT NULL
) :data_tablespace

-- name: table-event
CREATE TABLE :"event" (
    event_id RAW(2000) NOT NULL,
    end_time TIMESTAMP(6) NOT NULL,
    name VARCHAR2(4000 BYTE),
    long_name CLOB,
    raw_event BLOB NOT NULL
) :data_tablespace
:partitioning

-- name: insert-addr
-- The values in another order than the columns have in layout.yaml.
INSERT INTO :"addr" (side, address_hi, address_lo, happened, event_id)
VALUES (:'side', :'last', :'first', :'detect_time', :'id')

-- name: copy-event
INSERT INTO :"event" (:columns) SELECT :columns FROM :"kept"

-- name: indexes-native
-- index event_time
CREATE INDEX :"event_time" ON :"event" (end_time, event_id) :local :index_tablespace;

-- index addr_address
CREATE INDEX :"addr_address" ON :"addr" (side, address_lo, address_hi) :index_tablespace;

-- index list_text
CREATE INDEX :"list_text" ON :"list" (field, text) :index_tablespace;
