-- About as wide as in the usual banking benchmarks: 100 bytes and more a row.
CREATE TABLE :"account" (
    account NUMBER(10) NOT NULL,
    branch NUMBER(10) NOT NULL,
    balance NUMBER(19) NOT NULL,
    filler CHAR(84) NOT NULL
) :data_tablespace
