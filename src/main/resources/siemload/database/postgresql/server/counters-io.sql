-- Input and output of the whole server, since PostgreSQL 16; its columns differ by version.
SELECT 'pg_stat_io.' || i.backend_type || '.' || i.object || '.' || i.context AS source, i.*
FROM pg_stat_io i
