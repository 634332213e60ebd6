SELECT prefix FROM siemload_tables WHERE prefix = :'prefix' FOR UPDATE
