-- What the sessions that work in the database of the run are doing right now: one that waits for nothing runs, or is ready to.
-- Locks of the server's own memory (LWLock) and pages that others have pinned (BufferPin) are held by other sessions, too.
SELECT
    CASE wait_event_type
        WHEN 'IO' THEN 'io'
        WHEN 'Lock' THEN 'lock'
        WHEN 'LWLock' THEN 'lock'
        WHEN 'BufferPin' THEN 'lock'
        WHEN 'Client' THEN 'client'
        ELSE CASE WHEN wait_event_type IS NULL THEN 'running' ELSE 'other' END
    END AS state,
    count(*) AS sessions
FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
GROUP BY 1
