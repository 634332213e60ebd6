-- One row and one index entry for each withdrawal.
CREATE TABLE :"history" (
    id NUMBER(19) NOT NULL,
    account NUMBER(10) NOT NULL,
    teller NUMBER(10) NOT NULL,
    branch NUMBER(10) NOT NULL,
    amount NUMBER(10) NOT NULL,
    made_at TIMESTAMP NOT NULL,
    filler CHAR(22) NOT NULL
) :data_tablespace
