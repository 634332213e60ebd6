-- The key is not cut into days, and would be unusable otherwise.
ALTER TABLE :"event" DROP PARTITION FOR (:'day') UPDATE INDEXES
