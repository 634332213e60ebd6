-- The blocks of each table and index of the run, all its partitions together, and of what is too large for the rows of a table.
SELECT whole.relname || part.suffix AS name, part.kind, sum(part.blocks_read)::bigint, sum(part.blocks_hit)::bigint
FROM pg_statio_user_tables t
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(t.relid), t.relid)
CROSS JOIN LATERAL (VALUES
    ('', 'TABLE', t.heap_blks_read, t.heap_blks_hit),
    (' (toast)', 'TABLE', t.toast_blks_read, t.toast_blks_hit),
    (' (toast index)', 'INDEX', t.tidx_blks_read, t.tidx_blks_hit)
) AS part (suffix, kind, blocks_read, blocks_hit)
WHERE part.blocks_read IS NOT NULL
GROUP BY whole.relname, part.suffix, part.kind
UNION ALL
SELECT whole.relname, 'INDEX', sum(i.idx_blks_read)::bigint, sum(i.idx_blks_hit)::bigint
FROM pg_statio_user_indexes i
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(i.indexrelid), i.indexrelid)
GROUP BY whole.relname
