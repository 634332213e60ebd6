-- The rows of one day, in UTC.
CREATE TABLE IF NOT EXISTS :"partition" PARTITION OF :"table" FOR VALUES FROM (:from) TO (:until)
