-- How far this standby is behind: how old the last transaction is that it has replayed, where it has received more than that.
SELECT (SELECT count(*) FROM pg_stat_wal_receiver) AS receivers,
    CASE
        WHEN pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() THEN 0
        ELSE greatest(0, coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0))
    END::float8 AS seconds
