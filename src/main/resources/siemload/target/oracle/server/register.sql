INSERT INTO siemload_tables (prefix, purpose, fingerprint, label) VALUES (:'prefix', :'purpose', :'fingerprint', :'label')
