-- Where the last record of the log ends. The server tells where the next one begins: on a page that has none yet, behind its header,
-- which is 40 bytes at the begin of a segment and 24 elsewhere, and which a replica only reaches with the record behind it.
SELECT position - CASE
        WHEN position % pg_size_bytes(current_setting('wal_segment_size')) = 40 THEN 40
        WHEN position % current_setting('wal_block_size')::bigint = 24 THEN 24
        ELSE 0
    END
FROM (SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS position) AS log
