-- The indexes of the searched tables, each with its first column.
SELECT index.relname, pg_get_indexdef(i.indexrelid, 1, false)
FROM pg_index i JOIN pg_class index ON index.oid = i.indexrelid
WHERE i.indrelid IN (to_regclass('events'), to_regclass('event_address'))
