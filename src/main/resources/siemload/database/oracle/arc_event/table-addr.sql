-- The addresses of a side (S or T) that has several.
CREATE TABLE :"addr" (
    event_id RAW(2000) NOT NULL,
    side VARCHAR2(1 BYTE) NOT NULL,
    address_lo RAW(17) NOT NULL,
    address_hi RAW(17) NOT NULL
) :data_tablespace
