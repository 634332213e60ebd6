-- The same of PostgreSQL 17, which also counts checkpoints that had nothing to do.
SELECT
    c.num_timed + c.num_requested AS completed,
    (c.write_time + c.sync_time) / 1000 AS seconds,
    c.buffers_written AS by_checkpoints,
    b.buffers_clean AS by_writer,
    (
        SELECT sum(i.writes)::bigint
        FROM pg_stat_io i
        WHERE i.backend_type = 'client backend' AND i.object = 'relation'
    ) AS by_sessions
FROM pg_stat_checkpointer c, pg_stat_bgwriter b
