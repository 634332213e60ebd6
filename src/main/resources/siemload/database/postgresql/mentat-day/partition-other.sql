-- The rows of all days that have no partition: no event is lost for lack of one.
CREATE TABLE IF NOT EXISTS :"partition" PARTITION OF :"table" DEFAULT
