-- The indexes of the searched tables and of their partitions, each with the index that it is a part of, and its first column.
SELECT index.relname, whole.relname, pg_get_indexdef(i.indexrelid, 1, false)
FROM pg_index i
JOIN pg_class index ON index.oid = i.indexrelid
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(i.indexrelid), i.indexrelid)
WHERE coalesce(pg_partition_root(i.indrelid), i.indrelid) = ANY (:'tables'::regclass[])
