-- days to a limit
ALTER TABLE :"table" SET INTERVAL ();

-- the rest
ALTER TABLE :"table" ADD PARTITION late VALUES LESS THAN (MAXVALUE) :data_tablespace;
