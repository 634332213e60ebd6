ALTER TABLE :"branch" ADD CONSTRAINT :"branch_pk" PRIMARY KEY (branch) :key_tablespace
