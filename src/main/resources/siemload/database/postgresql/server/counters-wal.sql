-- What the server has counted of its write-ahead log; its columns differ by version.
SELECT 'pg_stat_wal' AS source, w.*
FROM pg_stat_wal w
