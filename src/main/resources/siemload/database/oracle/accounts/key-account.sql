ALTER TABLE :"account" ADD CONSTRAINT :"account_pk" PRIMARY KEY (account) :key_tablespace
