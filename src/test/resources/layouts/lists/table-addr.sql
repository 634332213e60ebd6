CREATE TABLE :"addr" (
    event_id RAW(2000) NOT NULL,
    happened TIMESTAMP(6) NOT NULL,
    side VARCHAR2(1 BYTE) NOT NULL,
    address_lo RAW(17) NOT NULL,
    address_hi RAW(17) NOT NULL
) :data_tablespace
