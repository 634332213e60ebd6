-- The values of a field of which an event has several: C category, D device, S source port, T target port.
CREATE TABLE :"list" (
    event_id RAW(2000) NOT NULL,
    field VARCHAR2(1 BYTE) NOT NULL,
    text VARCHAR2(2000 BYTE) NOT NULL
) :data_tablespace
