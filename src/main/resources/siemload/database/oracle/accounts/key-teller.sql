ALTER TABLE :"teller" ADD CONSTRAINT :"teller_pk" PRIMARY KEY (teller) :key_tablespace
