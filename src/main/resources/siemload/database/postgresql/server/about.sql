-- What a run must know before it starts.
SELECT current_setting('server_version_num')::int AS version_number,
    current_setting('server_version') AS version,
    (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_databases,
    current_user AS user_name,
    (SELECT oid::bigint FROM pg_roles WHERE rolname = current_user) AS user_number,
    current_setting('max_parallel_workers_per_gather')::int AS workers,
    current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int AS connections,
    coalesce(host(inet_server_addr()), 'localhost') || ':' || coalesce(inet_server_port()::text, '') AS server,
    pg_is_in_recovery() AS standby,
    current_setting('TimeZone') AS time_zone,
    -- Seen from the server: behind a pooler it is the pooler's connection.
    (SELECT CASE WHEN ssl THEN version END FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls_version,
    (SELECT cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls_cipher,
    (SELECT count(*)::int FROM pg_stat_activity WHERE datid IS NOT NULL AND pid <> pg_backend_pid()) AS taken
