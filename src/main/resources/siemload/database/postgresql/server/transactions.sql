-- How many have ended, in all databases but ours.
SELECT coalesce(sum(xact_commit + xact_rollback), 0)
FROM pg_stat_database
WHERE datname IS NOT NULL AND NOT starts_with(datname, 'siemload_')
