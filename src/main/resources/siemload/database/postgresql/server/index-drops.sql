-- The statements that drop all keys and indexes of the current database's own tables: foreign keys, then primary keys, then
-- indexes. Those of partitions go with those of their tables.
SELECT statement
FROM (
    SELECT CASE c.contype WHEN 'f' THEN 1 ELSE 2 END AS place,
        format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS statement
    FROM pg_constraint c
    WHERE c.connamespace = current_schema()::regnamespace AND c.conrelid <> 0 AND c.contype IN ('f', 'p')
        AND c.conparentid = 0
    UNION ALL
    SELECT 3, format('DROP INDEX %s', i.indexrelid::regclass)
    FROM pg_index i
    JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_class index ON index.oid = i.indexrelid
    WHERE t.relnamespace = current_schema()::regnamespace AND NOT index.relispartition
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype = 'p')
) drops
ORDER BY place, statement
