-- The blocks of each table and index of the run, and of what is too large for the rows of a table.
SELECT t.relname || part.suffix AS name, part.kind, part.blocks_read, part.blocks_hit
FROM pg_statio_user_tables t
CROSS JOIN LATERAL (VALUES
    ('', 'TABLE', t.heap_blks_read, t.heap_blks_hit),
    (' (toast)', 'TABLE', t.toast_blks_read, t.toast_blks_hit),
    (' (toast index)', 'INDEX', t.tidx_blks_read, t.tidx_blks_hit)
) AS part (suffix, kind, blocks_read, blocks_hit)
WHERE part.blocks_read IS NOT NULL
UNION ALL
SELECT indexrelname, 'INDEX', idx_blks_read, idx_blks_hit
FROM pg_statio_user_indexes
