-- Written by the database alone: how many events an hour has by a value, for each trend. An address is a text of its bytes.
CREATE TABLE :"trend_line" (
    trend VARCHAR2(100 BYTE) NOT NULL,
    hour_start TIMESTAMP(6) NOT NULL,
    text VARCHAR2(2000 BYTE) NOT NULL,
    events NUMBER(19) NOT NULL
) :data_tablespace
