ALTER TABLE :"history" ADD CONSTRAINT :"history_pk" PRIMARY KEY (id) :key_tablespace
