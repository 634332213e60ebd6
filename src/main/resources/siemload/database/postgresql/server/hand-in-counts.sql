-- Lets this session hand in what it counted before it answers, rather than up to a second later. PostgreSQL 15 or newer.
SELECT pg_stat_force_next_flush()
