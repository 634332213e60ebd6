CREATE TABLE :"teller" (
    teller NUMBER(10) NOT NULL,
    branch NUMBER(10) NOT NULL,
    balance NUMBER(19) NOT NULL,
    filler CHAR(84) NOT NULL
) :data_tablespace
