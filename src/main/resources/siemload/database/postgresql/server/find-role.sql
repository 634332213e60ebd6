SELECT count(*) FROM pg_roles WHERE rolname = :'role'
