-- The plan alone: nothing is executed.
EXPLAIN (FORMAT JSON) :statement
