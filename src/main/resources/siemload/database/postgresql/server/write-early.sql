-- Has what this transaction writes put on disk while it goes on, 256 blocks at a time, the most: where the server logs no rows
-- of new tables (wal_level = minimal), the commit must wait until all of it is there.
SET LOCAL backend_flush_after = 256
