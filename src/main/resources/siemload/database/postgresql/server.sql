-- name: about
-- The facts that a run must know before it starts.
SELECT told.key, told.value
FROM (
    SELECT current_setting('server_version_num') AS version_number,
        current_setting('server_version') AS version,
        (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_databases,
        current_user AS user_name,
        (SELECT oid FROM pg_roles WHERE rolname = current_user) AS user_number,
        current_setting('max_parallel_workers_per_gather') AS workers,
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int
            - (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL AND pid <> pg_backend_pid()) AS free,
        coalesce(host(inet_server_addr()), 'localhost') || ':' || coalesce(inet_server_port()::text, '') AS server,
        pg_is_in_recovery() AS standby,
        current_setting('TimeZone') AS time_zone,
        -- Seen from the server: behind a pooler it is the pooler's connection.
        (SELECT CASE WHEN ssl THEN version END FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls_version,
        (SELECT cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls_cipher
) about, jsonb_each_text(to_jsonb(about)) told

-- name: begin-session
-- Sets the session's time zone in place of Java's, which the driver requests. Also makes the server stop work for a client process that is
-- gone, if the server's operating system can detect that.
SELECT set_config('TimeZone', :'zone', false),
    CASE WHEN current_setting('client_connection_check_interval', true) IS NOT NULL AND version() ~* 'linux|darwin|bsd'
        THEN set_config('client_connection_check_interval', '2s', false) END

-- name: counters-checkpoints-17
-- Checkpoints for PostgreSQL 17, which also counts checkpoints that had nothing to do.
SELECT
    'checkpoints' AS source,
    c.num_timed + c.num_requested AS completed,
    c.write_time + c.sync_time AS millis,
    c.buffers_written AS blocks,
    b.buffers_clean AS "blocksByWriter",
    (
        SELECT sum(i.writes)::bigint
        FROM pg_stat_io i
        WHERE i.backend_type = 'client backend' AND i.object = 'relation'
    ) AS "blocksBySessions"
FROM pg_stat_checkpointer c, pg_stat_bgwriter b

-- name: counters-checkpoints
-- Checkpoints for PostgreSQL 15 and 16, all in one view.
SELECT
    'checkpoints' AS source,
    b.checkpoints_timed + b.checkpoints_req AS completed,
    b.checkpoint_write_time + b.checkpoint_sync_time AS millis,
    b.buffers_checkpoint AS blocks,
    b.buffers_clean AS "blocksByWriter",
    b.buffers_backend AS "blocksBySessions"
FROM pg_stat_bgwriter b

-- name: counters-checkpoints-18
-- The server's counts of its checkpoints, and of blocks by the process that wrote them, since PostgreSQL 18.
SELECT
    'checkpoints' AS source,
    c.num_done AS completed,
    c.write_time + c.sync_time AS millis,
    c.buffers_written AS blocks,
    b.buffers_clean AS "blocksByWriter",
    (
        SELECT sum(i.write_bytes)::bigint / current_setting('block_size')::bigint
        FROM pg_stat_io i
        WHERE i.backend_type = 'client backend' AND i.object = 'relation'
    ) AS "blocksBySessions"
FROM pg_stat_checkpointer c, pg_stat_bgwriter b

-- name: copy-database
CREATE DATABASE :"database" TEMPLATE :"kept" STRATEGY FILE_COPY

-- name: copy-rows
COPY (:statement) TO STDOUT (FORMAT binary)

-- name: counters-database
-- The counters of the run's database. The view's columns differ by version.
SELECT 'pg_stat_database' AS source, d.*
FROM pg_stat_database d
WHERE d.datname = current_database()

-- name: counters-io
-- PostgreSQL 15 does not count input and output of the whole server.
SELECT 'pg_stat_io' AS source WHERE false

-- name: counters-io-16
-- Input and output of the whole server. The view's columns differ by version. Most of its rows count nothing; to take
-- them apart, too, would cost more than all other counters together.
SELECT 'pg_stat_io.' || i.backend_type || '.' || i.object || '.' || i.context AS source, i.*
FROM pg_stat_io i
WHERE num_nonnulls(nullif(i.reads, 0), nullif(i.writes, 0), nullif(i.extends, 0), nullif(i.hits, 0), nullif(i.fsyncs, 0)) > 0

-- name: counters-of-view
-- The numbers of a view that only grow. The view's first column names the source of its rows.
SELECT 'counter', v.source || '.' || number.key, number.value::float8, 0::float8
FROM (
:view
) v, jsonb_each(to_jsonb(v)) number
WHERE jsonb_typeof(number.value) = 'number' AND number.key NOT IN ('datid', 'numbackends', 'op_bytes')

-- name: counters-pending
-- Connections to the run's database, except for those that only read counters. Each connection publishes its last counts when it ends.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database()
    AND application_name <> 'siemload counters'
    AND backend_type IN ('client backend', 'parallel worker')
    AND pid <> pg_backend_pid()

-- name: counters-relations
-- The blocks of each table and index of the run, with all partitions together, and of values that are too large for a table's rows. Then
-- the blocks and bytes of all tables, and of all indexes.
SELECT total.*
FROM (
    WITH relation AS (
        SELECT part.kind, whole.relname || part.suffix AS name, sum(part.blocks_read)::float8 AS blocks_read,
            sum(part.blocks_hit)::float8 AS blocks_hit
        FROM pg_statio_user_tables t
        JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(t.relid), t.relid)
        CROSS JOIN LATERAL (VALUES
            ('', 'table', t.heap_blks_read, t.heap_blks_hit),
            (' (toast)', 'table', t.toast_blks_read, t.toast_blks_hit),
            (' (toast index)', 'index', t.tidx_blks_read, t.tidx_blks_hit)
        ) AS part (suffix, kind, blocks_read, blocks_hit)
        WHERE part.blocks_read IS NOT NULL
        GROUP BY whole.relname, part.suffix, part.kind
        UNION ALL
        SELECT 'index', whole.relname, sum(i.idx_blks_read)::float8, sum(i.idx_blks_hit)::float8
        FROM pg_statio_user_indexes i
        JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(i.indexrelid), i.indexrelid)
        GROUP BY whole.relname
    )
    SELECT * FROM relation
    UNION ALL
    SELECT what.kind, CASE r.kind WHEN 'table' THEN 'data' ELSE 'index' END, sum(what.blocks), sum(what.bytes)
    FROM relation r
    CROSS JOIN LATERAL (VALUES
        ('reads', r.blocks_read, r.blocks_read * current_setting('block_size')::float8),
        ('hits', r.blocks_hit, 0)
    ) AS what (kind, blocks, bytes)
    GROUP BY what.kind, r.kind
) total

-- name: counters-session
-- All views are read as of one moment (PostgreSQL 15 and newer; older versions do so anyway). The statements have no values, so that one
-- plan for each is enough. The name distinguishes connections that only read counters from those whose work is counted.
SELECT set_config(
    name,
    CASE name
        WHEN 'plan_cache_mode' THEN 'force_generic_plan'
        WHEN 'application_name' THEN 'siemload counters'
        ELSE 'snapshot'
    END,
    false)
FROM pg_settings
WHERE name IN ('plan_cache_mode', 'application_name', 'stats_fetch_consistency')

-- name: counters-sessions
-- The current states of sessions that work in the run's database. A session that waits for nothing is running, or ready to run. Waits for
-- the server's own memory locks (LWLock) and for pinned pages (BufferPin) count as locks, since other sessions hold these, too.
SELECT 'session',
    CASE wait_event_type
        WHEN 'IO' THEN 'IO'
        WHEN 'Lock' THEN 'LOCK'
        WHEN 'LWLock' THEN 'LOCK'
        WHEN 'BufferPin' THEN 'LOCK'
        WHEN 'Client' THEN 'CLIENT'
        ELSE CASE WHEN wait_event_type IS NULL THEN 'RUNNING' ELSE 'OTHER' END
    END,
    count(*)::float8,
    0::float8
FROM pg_stat_activity
WHERE datname = current_database() AND state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
GROUP BY 2

-- name: counters-start
-- A time that is different after each start. After a crash the first process lives on, but all statistics are discarded.
SELECT 'start', concat_ws(' ', pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter)), 0::float8, 0::float8

-- name: counters-temp
-- Temporary files, in blocks and bytes. The server counts only writes, when it removes the files. The files are written block by block.
SELECT 'writes', 'temp', ceil(d.temp_bytes / current_setting('block_size')::float8), d.temp_bytes::float8
FROM pg_stat_database d
WHERE d.datname = current_database()

-- name: counters-traffic-18
-- The reads, writes and cache hits of the whole server, in blocks and bytes. PostgreSQL 18 and newer count operations of several blocks and
-- their bytes, and include the write-ahead log. The bytes written to it are those of its records, which each session has published when it
-- has ended; the process that writes them to disk publishes later.
SELECT part.kind, i.category, part.blocks::float8, part.bytes::float8
FROM (
    SELECT CASE object WHEN 'wal' THEN 'redo' ELSE 'rest' END AS category,
        CASE object WHEN 'wal' THEN sum(reads) ELSE sum(read_bytes) / current_setting('block_size')::bigint END AS reads,
        CASE object WHEN 'wal' THEN sum(writes) ELSE sum(write_bytes) / current_setting('block_size')::bigint END AS writes,
        sum(read_bytes) AS read_bytes,
        CASE object WHEN 'wal' THEN (SELECT wal_bytes FROM pg_stat_wal) ELSE sum(write_bytes) END AS write_bytes,
        sum(hits) AS hits
    FROM pg_stat_io
    GROUP BY object
) i
CROSS JOIN LATERAL (VALUES
    ('reads', i.reads, i.read_bytes),
    ('writes', i.writes, i.write_bytes),
    ('hits', i.hits, 0)
) AS part (kind, blocks, bytes)

-- name: counters-traffic-16
-- Traffic for PostgreSQL 16 and 17, which count blocks. The bytes of the log are those of its records, not of the blocks that hold the
-- records.
SELECT part.kind, 'rest', part.blocks::float8, (part.blocks * current_setting('block_size')::bigint)::float8
FROM (SELECT sum(reads) AS reads, sum(writes) AS writes, sum(hits) AS hits FROM pg_stat_io) i
CROSS JOIN LATERAL (VALUES ('reads', i.reads), ('writes', i.writes), ('hits', i.hits)) AS part (kind, blocks)
UNION ALL
SELECT 'writes', 'redo', w.wal_write::float8, w.wal_bytes::float8
FROM pg_stat_wal w

-- name: counters-traffic
-- Traffic for PostgreSQL 15: only that of the run's database, without writes.
SELECT part.kind, 'rest', part.blocks::float8, (part.blocks * current_setting('block_size')::bigint)::float8
FROM pg_stat_database d
CROSS JOIN LATERAL (VALUES ('reads', d.blks_read), ('hits', d.blks_hit)) AS part (kind, blocks)
WHERE d.datname = current_database()
UNION ALL
SELECT 'writes', 'redo', w.wal_write::float8, w.wal_bytes::float8
FROM pg_stat_wal w

-- name: counters-wal
-- The server's counts of its write-ahead log. The view's columns differ by version.
SELECT 'pg_stat_wal' AS source, w.*
FROM pg_stat_wal w

-- name: create-database
CREATE DATABASE :"database" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'

-- name: create-registry
-- The databases that siemload has created on this server for this user, or is about to create.
CREATE TABLE IF NOT EXISTS siemload_objects (
    entry_key text PRIMARY KEY,
    name text NOT NULL,
    purpose text NOT NULL,
    fingerprint text NOT NULL,
    label text NOT NULL,
    identity text NOT NULL,
    contents text NOT NULL,
    events bigint NOT NULL,
    holder text NOT NULL,
    beat bigint NOT NULL,
    seen bigint NOT NULL
)

-- name: create-statement-times
CREATE EXTENSION IF NOT EXISTS pg_stat_statements

-- name: databases
SELECT oid::text FROM pg_database

-- name: declare-cursor
DECLARE page_cursor NO SCROLL CURSOR FOR :statement

-- name: delete-all
-- Deletes row by row, as a user would. TRUNCATE would only remove the files.
DELETE FROM :"table"

-- name: drop-database-with-sessions
DROP DATABASE IF EXISTS :"database" WITH (FORCE)

-- name: drop-database
DROP DATABASE IF EXISTS :"database"

-- name: expect
-- Only the plan: nothing is executed.
EXPLAIN (FORMAT JSON) :statement

-- name: explain-verbose
-- The plan with the statement's identifier in pg_stat_statements, if the server computes it. Nothing is executed.
EXPLAIN (VERBOSE, FORMAT JSON) :statement

-- name: explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) :statement

-- name: fetch-page
FETCH FORWARD :size FROM page_cursor

-- name: find-database
-- The facts that prove who owns a database.
SELECT d.oid::text AS number,
    d.datdba = (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user) AS own,
    EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid) AS used
FROM pg_database d
WHERE d.datname = :'database'

-- name: free-bytes
-- Only the disk limits the size of a database.
SELECT NULL::bigint

-- name: hand-in-counts
-- Makes this session publish its counts before it answers, instead of up to a second later. PostgreSQL 15 or newer.
SELECT pg_stat_force_next_flush()

-- name: hint-full-scan
enable_indexonlyscan=off
enable_mergejoin=off
max_parallel_workers_per_gather=0

-- name: hint-full-scan-parallel
enable_indexonlyscan=off
enable_mergejoin=off
min_parallel_table_scan_size=0
parallel_setup_cost=0
parallel_tuple_cost=0
max_parallel_workers_per_gather=:workers

-- name: hint-index
-- The key of a table partitioned by day has the time after the id, and would be read from end to end.
enable_seqscan=off
enable_indexonlyscan=off

-- name: hint-time-index
enable_seqscan=off
enable_bitmapscan=off
enable_indexonlyscan=off

-- name: index-drops
-- The statements that drop all keys and indexes of the current database's own tables: foreign keys, then primary keys, then indexes. The
-- indexes of partitions are dropped together with those of their tables.
SELECT statement
FROM (
    SELECT CASE c.contype WHEN 'f' THEN 1 ELSE 2 END AS place,
        format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS statement
    FROM pg_constraint c
    WHERE c.connamespace = current_schema()::regnamespace AND c.conrelid <> 0 AND c.contype IN ('f', 'p')
        AND c.conparentid = 0
    UNION ALL
    SELECT 3, format('DROP INDEX %s', i.indexrelid::regclass)
    FROM pg_index i
    JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_class index ON index.oid = i.indexrelid
    WHERE t.relnamespace = current_schema()::regnamespace AND NOT index.relispartition
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype = 'p')
) drops
ORDER BY place, statement

-- name: indexes
-- The indexes of the searched tables and of their partitions, each with the index that it belongs to, and the kind of its first column.
SELECT index.relname, whole.relname,
    CASE
        WHEN pg_get_indexdef(i.indexrelid, 1, false) = ANY (:'times'::text[]) THEN 'TIME_INDEX'
        WHEN pg_get_indexdef(i.indexrelid, 1, false) = ANY (:'ids'::text[]) THEN 'ID_INDEX'
        ELSE 'FIELD_INDEX'
    END
FROM pg_index i
JOIN pg_class index ON index.oid = i.indexrelid
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(i.indexrelid), i.indexrelid)
WHERE coalesce(pg_partition_root(i.indrelid), i.indrelid) = ANY (:'tables'::regclass[])

-- name: log-bytes
-- The bytes that this session has written to the write-ahead log. PostgreSQL 18 or newer.
SELECT wal_bytes::bigint
FROM pg_stat_get_backend_wal(pg_backend_pid())

-- name: log-flushed
-- The position up to which the log is on disk. All acknowledged commits are before it, unless commits do not wait for the disk.
SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint

-- name: log-replayed
-- The position up to which this replica has replayed the log.
SELECT coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint

-- name: log-written
-- The position at which the last record of the log ends. The server reports the start of the next record. On a page without a record yet,
-- that is after the page's header, which has 40 bytes at the start of a segment and 24 bytes elsewhere. A replica reaches that position
-- only with the next record.
SELECT position - CASE
        WHEN position % pg_size_bytes(current_setting('wal_segment_size')) = 40 THEN 40
        WHEN position % current_setting('wal_block_size')::bigint = 24 THEN 24
        ELSE 0
    END
FROM (SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS position) AS log

-- name: now
SELECT clock_timestamp()

-- name: driver-options
-- The options of the driver that siemload sets itself, also if their values are the driver's defaults; a url must not have other values.
-- assumeMinServerVersion lets the driver send the name with its first packet.
-- binaryTransfer: sessions for users' statements switch it off, so that equal values have equal bytes.
-- loginTimeout: if a server hangs, its operating system still accepts connections, but no answer follows.
-- prepareThreshold: by default, the driver begins to use prepared statements at the fifth execution, and Java then discards compiled code
-- that all sessions share.
-- readOnlyMode: sessions that only read send READ ONLY with the first packet of each transaction.
-- socketTimeout: each kind of connection has its own.
-- stringtype: values are bound as text whose type the statement determines: ranges and arrays need no special types.
ApplicationName=siemload
assumeMinServerVersion=15
binaryTransfer=true
binaryTransferDisable=
binaryTransferEnable=
cancelSignalTimeout=3
connectTimeout=10
loginTimeout=20
prepareThreshold=1
readOnly=false
readOnlyMode=transaction
socketTimeout=0
stringtype=unspecified
tcpKeepAlive=true

-- name: other-sessions
-- The other connected users, the number of their sessions at work, and the facts that a user without the role pg_read_all_stats cannot see.
SELECT format('%s of %s on %s', coalesce(nullif(a.application_name, ''), 'a program'), a.usename, a.datname)
        || CASE count(*) WHEN 1 THEN '' ELSE format(' (%s sessions)', count(*)) END AS name,
    count(*) FILTER (WHERE a.state IN ('active', 'fastpath function call')) AS working,
    CASE WHEN bool_or(a.state IS NULL) THEN 'what others do (GRANT pg_read_all_stats TO this user)' ELSE '' END AS hidden
FROM pg_stat_activity a
WHERE a.datid IS NOT NULL AND coalesce(a.backend_type, 'client backend') = 'client backend'
    AND a.pid <> pg_backend_pid() AND coalesce(a.application_name, '') <> 'siemload'
GROUP BY a.application_name, a.usename, a.datname
ORDER BY count(*) DESC, name

-- name: partitions
-- The partitions of the searched tables, each with its table.
SELECT part.relname, whole.relname
FROM pg_inherits i
JOIN pg_class part ON part.oid = i.inhrelid
JOIN pg_class whole ON whole.oid = i.inhparent
WHERE i.inhparent = ANY (:'tables'::regclass[])

-- name: protect-database
-- Copies of the database do not inherit this setting.
ALTER DATABASE :"kept" SET default_transaction_read_only = on

-- name: read-only
-- Whether the server made the session read-only when the connection began. Behind a pooler, the session may belong to others.
SELECT current_setting('transaction_read_only') = 'on'

-- name: relation-sizes
-- The size of each table and index of the current database on disk, with all partitions together. Long values count for their table.
SELECT whole.relname, sum(pg_table_size(c.oid))
FROM pg_class c
JOIN pg_class whole ON whole.oid = coalesce(pg_partition_root(c.oid), c.oid)
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm', 'i') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
GROUP BY whole.relname

-- name: checkpoint
-- take a checkpoint (only members of pg_checkpoint and superusers can)
CHECKPOINT

-- name: cluster
-- The identifier of a server's cluster, which all replicas of the server share.
SELECT system_identifier::text FROM pg_control_system()

-- name: rights
-- The rights of the user that go beyond reading; empty if there are none. A member of these roles can act outside the database, which no
-- read-only session prevents.
SELECT coalesce(
    'the user ' || r.rolname || CASE
        WHEN r.rolsuper THEN ' is a superuser'
        ELSE (
            SELECT ' has the rights of ' || string_agg(p.rolname, ', ' ORDER BY p.rolname)
            FROM pg_roles p
            WHERE p.rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_signal_backend')
                AND pg_has_role(r.oid, p.oid, 'USAGE')
        )
    END,
    '')
FROM pg_roles r
WHERE r.rolname = current_user

-- name: rows-written
-- The number of rows that any session has inserted, changed or deleted in users' tables of this database since the server began to count.
-- It is -1 on a standby, which does not count replayed changes.
SELECT CASE WHEN pg_is_in_recovery() THEN -1 ELSE coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint END FROM pg_stat_user_tables

-- name: running
-- The number of sessions and parallel workers that are executing statements in this database, without this session.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database()
    AND pid <> pg_backend_pid()
    AND state = 'active'
    AND backend_type IN ('client backend', 'parallel worker')

-- name: running-with
-- Whether another session of this user is executing a statement that contains this text.
SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE state = 'active' AND pid <> pg_backend_pid() AND usename = current_user AND strpos(query, :'text') > 0
)

-- name: settings
-- The settings that differ from the server's defaults. Left out are settings that this connection made and the user did not request, the
-- server's addresses and directories, and settings that may hold secrets: connections, passwords, and commands with arbitrary text.
SELECT name, current_setting(name)
FROM pg_settings
WHERE (source NOT IN ('default', 'override', 'client', 'session', 'interactive')
        OR name IN ('TimeZone', 'DateStyle')
        OR lower(name) = ANY (string_to_array(:'own', ',')))
    AND name NOT LIKE '%conninfo%' AND name NOT LIKE '%passphrase%' AND name NOT LIKE '%password%'
    AND name NOT LIKE '%\_command' AND name NOT IN ('port', 'unix_socket_directories', 'external_pid_file')

-- name: statement-times-where
-- The schema of the extension in this database, if it is there, and the times that the extension counts.
SELECT n.nspname,
    CASE current_setting('pg_stat_statements.track_planning', true)
        WHEN 'on' THEN 'planning and execution, with handing the rows to the network; parsing and binding are not in it'
        ELSE 'execution, with handing the rows to the network; parsing, binding and planning are not in it,'
            ' since pg_stat_statements.track_planning is off'
    END
FROM pg_extension e
JOIN pg_namespace n ON n.oid = e.extnamespace
WHERE e.extname = 'pg_stat_statements'

-- name: statement-times
-- How long the server has worked on each statement in the run's database, in milliseconds. The statements' texts, which are in a file, are
-- not read.
SELECT s.queryid::text, sum(s.calls)::bigint AS calls, sum(s.total_plan_time) AS planning, sum(s.total_exec_time) AS execution
FROM :"schema".pg_stat_statements(false) s
WHERE s.queryid IS NOT NULL
    AND s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = :'database')
GROUP BY s.queryid

-- name: statistics
ANALYZE :"table"

-- name: transactions
-- The number of transactions that have ended, in all databases except siemload's own.
SELECT coalesce(sum(xact_commit + xact_rollback), 0)
FROM pg_stat_database
WHERE datname IS NOT NULL AND NOT starts_with(datname, 'siemload_')

-- name: without-workers
-- Rows that are fetched in portions never come from parallel workers, although the planner may have expected workers.
SET LOCAL max_parallel_workers = 0

-- name: write-early
-- Makes the server flush this transaction's writes to disk while it runs, 256 blocks at a time, which is the maximum. If the server does
-- not log rows of new tables (wal_level = minimal), the commit must wait until all writes are on disk.
SET LOCAL backend_flush_after = 256

-- name: trend-lines
SELECT hour, value, events FROM trend_line WHERE trend = :'trend'

-- name: trend-store
-- Sums up the hours, and replaces existing lines with the new ones.
INSERT INTO trend_line (trend, hour, value, events)
SELECT CAST(:'trend' AS text), line.hour, line.value, line.events
FROM (
:summary
) line (hour, value, events)
ON CONFLICT (trend, hour, value) DO UPDATE SET events = excluded.events

-- name: trend-table
-- For each trend, the number of events of an hour with a value. Only the database itself writes this table.
CREATE TABLE trend_line (
    trend text COLLATE "C" NOT NULL,
    hour timestamp with time zone NOT NULL,
    value text COLLATE "C" NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (trend, hour, value)
)

-- name: create-role
-- The statement that creates the user for statements from files; no row if the user exists.
SELECT format('CREATE ROLE %I LOGIN PASSWORD %L', CAST(:'role' AS text), CAST(:'password' AS text))
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role')

-- name: find-role
-- The number of users with this name: 1 or 0.
SELECT count(*) FROM pg_roles WHERE rolname = :'role'

-- name: errors
-- The starts of SQLSTATEs with their messages, as patterns; their kinds; and advice. The first line that fits counts.
28000 .*pg_hba\.conf  REFUSED  Let an administrator add this client, user and database to pg_hba.conf; an entry hostssl needs TLS (sslmode=require or stricter in the url).
(08|28)... .*(\bSSL\b|sslmode|certificat|hostnameverifier)  CONNECTION  Check sslmode and sslrootcert in the url, and whether the server has TLS (its setting ssl).
08... .*targetServerType  CONNECTION  Check targetServerType and the hosts in the url.
08P01 .*startup parameter  CONNECTION  There seems to be a pooler in between: connect to the server itself.
08004  CONNECTION  :login.
28  REFUSED  :login.
08  CONNECTION  Check host and port in the url, and that the server runs and accepts TCP connections.
57P  CONNECTION
57014  CANCELLED  It took longer than allowed: a day for work such as loading, or -Dtimeout for your own queries.
42501  REFUSED  The user may not do that: let an administrator grant the right, or connect as the owner.
53200 out of shared memory  REFUSED  The server's table of locks is full: raise its max_locks_per_transaction.
53... .*shared memory  REFUSED  Give the machine or container more shared memory (Docker: --shm-size=256m).
53100  REFUSED  The disk is full: free some space, or take a smaller data set.
53200  REFUSED  The server ran out of memory: lower its memory settings or give it more.
53300  REFUSED  The server has no free connection: raise its max_connections, or lower the number of workers (-Dworkers).
53|54  REFUSED
42P04|42P07|23505  OTHER/NAME_TAKEN
42P01  OTHER/NO_TABLE
55006  OTHER/IN_USE  Other sessions are using it: wait until they have ended.
55P03  OTHER/IN_USE  Another session holds a lock on it: wait until that session has ended.
0A000|58P01  OTHER  If an extension is missing, let an administrator install PostgreSQL's contrib modules, or use an index set other than 'compound' (none, time, fields, native).
3D000  OTHER  Name a database that exists, for instance jdbc:postgresql://host:port/postgres.
58030  OTHER  The server could not write a file: check its log, its disk and its limits.

-- name: advice
-- Advice for failures of the server's programs, by a text in their output. The first line that fits counts.
Cannot allocate memory: there is too little free memory: end other programs, or use your own server
shared memory: give the machine or container more shared memory (Docker: --shm-size=256m)
No space left on device: free some disk space, or use another cache directory
cannot be run as root: run as an ordinary user, or allow user namespaces (unshare -U)
Address already in use: the port was taken meanwhile: try again, or name another port
Resource temporarily unavailable: this user may have no more processes: end some, or raise the limit (ulimit -u)
wrong ownership: the directory belongs to another user: use another cache directory
user does not exist: run as a user that the system knows by name
