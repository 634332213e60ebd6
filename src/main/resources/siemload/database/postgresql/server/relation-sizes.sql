-- How large each table and index of the current database is on disk, all its partitions together; long values count to their
-- table.
SELECT whole.relname, sum(pg_table_size(c.oid))
FROM pg_class c
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(c.oid), c.oid)
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm', 'i') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
GROUP BY whole.relname
