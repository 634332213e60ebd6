-- days to a limit
ALTER TABLE :"event" SET INTERVAL ();

-- the rest
ALTER TABLE :"event" ADD PARTITION late VALUES LESS THAN (MAXVALUE) :data_tablespace;
