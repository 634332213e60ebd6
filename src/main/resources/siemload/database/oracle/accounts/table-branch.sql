CREATE TABLE :"branch" (
    branch NUMBER(10) NOT NULL,
    balance NUMBER(19) NOT NULL,
    filler CHAR(88) NOT NULL
) :data_tablespace
