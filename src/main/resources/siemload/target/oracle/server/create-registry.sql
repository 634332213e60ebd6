-- Which tables are whose: one row for each group of tables. Who uses one holds a lock on its row until the end of the
-- connection, so that a row without a lock belongs to nobody any more.
CREATE TABLE siemload_tables (
    prefix VARCHAR2(40) PRIMARY KEY,
    purpose VARCHAR2(10) NOT NULL,
    fingerprint VARCHAR2(16) NOT NULL,
    label VARCHAR2(400) NOT NULL,
    created TIMESTAMP(6) DEFAULT LOCALTIMESTAMP NOT NULL
)
