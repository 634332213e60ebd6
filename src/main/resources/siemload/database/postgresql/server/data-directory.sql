-- For the role pg_read_all_settings alone.
SELECT setting FROM pg_settings WHERE name = 'data_directory'
