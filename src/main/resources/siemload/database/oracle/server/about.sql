SELECT p.version_full, USER,
    (SELECT d.property_value FROM database_properties d WHERE d.property_name = 'NLS_CHARACTERSET') AS character_set,
    (SELECT COUNT(*) FROM session_privs s WHERE s.privilege = 'CREATE TABLE') AS create_table,
    SYS_CONTEXT('USERENV', 'NETWORK_PROTOCOL') AS protocol
FROM product_component_version p
WHERE p.version_full IS NOT NULL
FETCH FIRST 1 ROWS ONLY
