-- What siemload has made in this schema, or is about to make: one row for each group of tables. Oracle keeps an empty text as
-- no value.
CREATE TABLE siemload_tables (
    entry_key VARCHAR2(100) PRIMARY KEY,
    name VARCHAR2(100) NOT NULL,
    purpose VARCHAR2(10) NOT NULL,
    fingerprint VARCHAR2(16),
    label VARCHAR2(1000),
    identity VARCHAR2(200),
    contents VARCHAR2(1000),
    events NUMBER(19) NOT NULL,
    holder VARCHAR2(200),
    beat NUMBER(19) NOT NULL,
    seen NUMBER(19) NOT NULL
)
