-- The blocks that this session has asked for and not handed in yet, those of its run's tables and of their indexes; it hands them in
-- at the end of its transaction. What is too large for the rows of a table counts to the table. PostgreSQL 15 or newer.
SELECT current_setting('block_size')::int AS block_size,
    current_setting('track_counts')::bool AS track_counts,
    coalesce(sum(fetched) FILTER (WHERE NOT is_index), 0)::bigint AS data_fetched,
    coalesce(sum(hit) FILTER (WHERE NOT is_index), 0)::bigint AS data_hit,
    coalesce(sum(fetched) FILTER (WHERE is_index), 0)::bigint AS index_fetched,
    coalesce(sum(hit) FILTER (WHERE is_index), 0)::bigint AS index_hit,
    pg_stat_force_next_flush()
FROM (
    SELECT relkind = 'i' AS is_index,
        pg_stat_get_xact_blocks_fetched(oid) AS fetched,
        pg_stat_get_xact_blocks_hit(oid) AS hit
    FROM pg_class
    WHERE relkind IN ('r', 'm', 't', 'i') AND oid >= 16384    -- the server's own catalogue has lower numbers
) AS relations
