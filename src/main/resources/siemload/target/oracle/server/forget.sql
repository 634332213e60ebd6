DELETE FROM siemload_tables WHERE prefix = :'prefix'
