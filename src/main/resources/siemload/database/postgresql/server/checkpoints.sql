-- What the server has counted of its checkpoints, and of blocks written by whom, since PostgreSQL 18.
SELECT
    c.num_done AS completed,
    (c.write_time + c.sync_time) / 1000 AS seconds,
    c.buffers_written AS by_checkpoints,
    b.buffers_clean AS by_writer,
    (
        SELECT sum(i.write_bytes)::bigint / current_setting('block_size')::bigint
        FROM pg_stat_io i
        WHERE i.backend_type = 'client backend' AND i.object = 'relation'
    ) AS by_sessions
FROM pg_stat_checkpointer c, pg_stat_bgwriter b
