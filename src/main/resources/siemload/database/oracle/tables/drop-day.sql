-- The key is not cut into days, and would be unusable otherwise.
ALTER TABLE :"table" DROP PARTITION FOR (:'day') UPDATE INDEXES
