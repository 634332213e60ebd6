-- What the user could do beyond reading. A function that a query calls may write in a transaction of its own, which no READ ONLY
-- transaction keeps it from: whoever has rights on the tables of anybody, or on the server itself, is refused.
WITH powers AS (
    SELECT s.privilege FROM session_privs s
    WHERE (s.privilege || ' ' LIKE '% ANY %' AND s.privilege NOT LIKE 'SELECT ANY %' AND s.privilege NOT LIKE 'READ ANY %')
       OR s.privilege IN ('ALTER DATABASE', 'ALTER SYSTEM', 'ALTER USER', 'BECOME USER', 'DROP USER', 'SYSDBA', 'SYSOPER')
), granted AS (
    SELECT DISTINCT p.table_schema, p.table_name FROM all_tab_privs p
    WHERE p.privilege IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER') AND p.table_schema <> USER
      AND (p.grantee = USER OR p.grantee IN (SELECT r.role FROM session_roles r))
)
SELECT USER AS user_name,
    (SELECT COUNT(*) FROM powers) AS powers,
    (SELECT MIN(p.privilege) FROM powers p) AS first_power,
    (SELECT COUNT(*) FROM user_tables) + (SELECT COUNT(*) FROM granted) AS writable
FROM dual
