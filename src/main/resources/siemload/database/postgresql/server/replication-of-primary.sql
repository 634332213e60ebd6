-- How far standbys are behind: where they are in the log, and what the server has counted. Its count stands still while a standby
-- replays nothing. Without pg_read_all_stats the columns are NULL; whoever only takes the log, such as a backup, replays nothing.
SELECT count(*) AS connected,
    count(state) AS visible,
    count(replay_lsn) AS standbys,
    coalesce(extract(epoch FROM max(replay_lag)), 0)::float8 AS counted_seconds,
    coalesce(pg_wal_lsn_diff(min(replay_lsn), '0/0'), 0)::bigint AS replayed,
    pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS written
FROM pg_stat_replication
