-- What the user could do beyond reading. A member of these roles can act outside of the database, which no read-only session
-- keeps it from.
SELECT r.rolname AS user_name,
    r.rolsuper AS superuser,
    coalesce(
        (SELECT string_agg(p.rolname, ', ' ORDER BY p.rolname)
            FROM pg_roles p
            WHERE p.rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_signal_backend')
                AND pg_has_role(r.oid, p.oid, 'USAGE')),
        '') AS powers,
    (SELECT count(*)
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
            AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS writable
FROM pg_roles r
WHERE r.rolname = current_user
