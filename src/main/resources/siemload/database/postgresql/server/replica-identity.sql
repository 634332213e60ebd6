-- Which cluster a server belongs to, which all of its replicas share, and whether it is one of them.
SELECT system_identifier::text AS cluster, pg_is_in_recovery() AS follows FROM pg_control_system()
