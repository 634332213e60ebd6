-- The statement that makes a user who executes what stands in files; no row where there is one.
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', CAST(:'role' AS text), CAST(:'password' AS text))
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role')
