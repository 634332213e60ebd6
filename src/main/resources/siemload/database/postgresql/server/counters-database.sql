-- What the database of the run has counted; its columns differ by version.
SELECT 'pg_stat_database' AS source, d.*
FROM pg_stat_database d
WHERE d.datname = current_database()
