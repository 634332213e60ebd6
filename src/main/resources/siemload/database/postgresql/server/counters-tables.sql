-- The blocks of each table of the run, and of what is too large for its rows.
SELECT relname,
    heap_blks_read, heap_blks_hit,
    toast_blks_read, toast_blks_hit,
    tidx_blks_read, tidx_blks_hit
FROM pg_statio_user_tables
