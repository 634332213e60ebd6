-- How large each table and index of the current database is on disk; long values count to their table.
SELECT c.relname, pg_table_size(c.oid)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm', 'i') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
