-- What is searched: one row an event. An address is a family byte (04 or 06) and its bytes, so that both families have
-- one order. The columns lo and hi cover all addresses of a side; they are exact where there is one. Of several
-- categories, devices or ports the column holds a mark, and the values stand in the list.
CREATE TABLE :"event" (
    event_id RAW(2000) NOT NULL,
    external_id VARCHAR2(2000 BYTE),
    end_time TIMESTAMP(6) NOT NULL,
    manager_receipt_time TIMESTAMP(6) DEFAULT LOCALTIMESTAMP NOT NULL,
    name VARCHAR2(4000 BYTE),
    category VARCHAR2(2000 BYTE),
    device_host_name VARCHAR2(2000 BYTE),
    source_addresses NUMBER(9) NOT NULL,
    source_address_lo RAW(17),
    source_address_hi RAW(17),
    target_addresses NUMBER(9) NOT NULL,
    target_address_lo RAW(17),
    target_address_hi RAW(17),
    source_port NUMBER(5),
    target_port NUMBER(5),
    transport_protocol VARCHAR2(2000 BYTE),
    application_protocol VARCHAR2(2000 BYTE),
    base_event_count NUMBER(19) NOT NULL,
    long_name CLOB,
    raw_event BLOB NOT NULL
) :data_tablespace
:partitioning
