-- What pg_stat_statements calls a statement: VERBOSE tells it, where the server computes it. Nothing is executed.
EXPLAIN (VERBOSE, FORMAT JSON) :statement
