ALTER TABLE :"trend_line" ADD CONSTRAINT :"trend_line_pk" PRIMARY KEY (trend, hour_start, text) :key_tablespace
