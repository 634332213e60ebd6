-- What differs from the server's defaults, but for what this connection asked for unless the user did, and what may hold
-- secrets: connections, passwords, and commands, whose words may be anything.
SELECT name, current_setting(name)
FROM pg_settings
WHERE (source NOT IN ('default', 'override', 'client', 'session', 'interactive')
        OR name IN ('TimeZone', 'DateStyle')
        OR lower(name) = ANY (string_to_array(:'own', ',')))
    AND name NOT LIKE '%conninfo%' AND name NOT LIKE '%passphrase%' AND name NOT LIKE '%password%'
    AND name NOT LIKE '%\_command'
