-- The same of PostgreSQL 14 to 16, all in one view.
SELECT
    b.checkpoints_timed + b.checkpoints_req AS completed,
    (b.checkpoint_write_time + b.checkpoint_sync_time) / 1000 AS seconds,
    b.buffers_checkpoint AS by_checkpoints,
    b.buffers_clean AS by_writer,
    b.buffers_backend AS by_sessions
FROM pg_stat_bgwriter b
