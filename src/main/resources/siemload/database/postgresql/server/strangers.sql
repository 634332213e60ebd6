-- All databases that have a name like ours.
SELECT d.datname, (SELECT r.rolname FROM pg_roles r WHERE r.oid = d.datdba) AS owner
FROM pg_database d
WHERE starts_with(d.datname, 'siemload_')
ORDER BY d.datname
