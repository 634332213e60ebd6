-- Another time after each start. After a crash the first process lives on, but all statistics are thrown away.
SELECT concat_ws(' ', pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter)) AS start
