-- The blocks of each index of the run.
SELECT indexrelname, idx_blks_read, idx_blks_hit
FROM pg_statio_user_indexes
