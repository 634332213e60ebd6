-- The rows that anybody has inserted, changed or deleted in tables of users of this database since the server began to count.
SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint FROM pg_stat_user_tables
