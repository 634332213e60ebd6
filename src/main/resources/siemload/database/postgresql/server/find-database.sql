-- What proves whose a database is.
SELECT (SELECT r.rolname FROM pg_roles r WHERE r.oid = d.datdba) AS owner,
    d.datdba = (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user) AS own,
    coalesce(shobj_description(d.oid, 'pg_database'), '') AS comment,
    EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid) AS used
FROM pg_database d
WHERE d.datname = :'database'
