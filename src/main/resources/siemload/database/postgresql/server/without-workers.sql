-- Rows that are asked for in portions are never shared out among workers, though the planner may have counted on them.
SET LOCAL max_parallel_workers = 0
