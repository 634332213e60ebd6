-- The partitions of the searched tables, each with its table.
SELECT part.relname, whole.relname
FROM pg_inherits i
JOIN pg_class part ON part.oid = i.inhrelid
JOIN pg_class whole ON whole.oid = i.inhparent
WHERE i.inhparent = ANY (:'tables'::regclass[])
