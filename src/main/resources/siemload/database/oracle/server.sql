-- name: about
SELECT p.version_full, USER,
    (SELECT d.property_value FROM database_properties d WHERE d.property_name = 'NLS_CHARACTERSET') AS character_set,
    (SELECT COUNT(*) FROM session_privs s WHERE s.privilege = 'CREATE TABLE') AS create_table,
    SYS_CONTEXT('USERENV', 'NETWORK_PROTOCOL') AS protocol
FROM product_component_version p
WHERE p.version_full IS NOT NULL
FETCH FIRST 1 ROWS ONLY

-- name: checkpoint
-- take a checkpoint (only users with the right ALTER SYSTEM can)
ALTER SYSTEM CHECKPOINT

-- name: transactions
SELECT SUM(value) FROM v$sysstat WHERE name IN ('user commits', 'user rollbacks', 'execute count')

-- name: create-registry
-- The tables that siemload has created in this schema, or is about to create: one row for each group of tables. Oracle stores an empty text
-- as NULL.
CREATE TABLE siemload_tables (
    entry_key VARCHAR2(100) PRIMARY KEY,
    name VARCHAR2(100) NOT NULL,
    purpose VARCHAR2(10) NOT NULL,
    fingerprint VARCHAR2(16),
    label VARCHAR2(1000),
    identity VARCHAR2(200),
    contents VARCHAR2(1000),
    events NUMBER(19) NOT NULL,
    holder VARCHAR2(200),
    beat NUMBER(19) NOT NULL,
    seen NUMBER(19) NOT NULL
)

-- name: now
SELECT SYSTIMESTAMP FROM DUAL

-- name: object-numbers
-- A table that is created anew has a different number, whatever its name.
SELECT object_name, object_id FROM user_objects
WHERE object_type = 'TABLE' AND object_name LIKE :'prefix' || '\_%' ESCAPE '\'
ORDER BY object_name

-- name: other-sessions
-- The other connected users, and the number of their sessions at work.
SELECT program || ' of ' || username || ' (' || COUNT(*) || ' sessions)', SUM(CASE WHEN status = 'ACTIVE' THEN 1 ELSE 0 END), ''
FROM v$session
WHERE type = 'USER' AND username IS NOT NULL AND program <> 'siemload' AND sid <> SYS_CONTEXT('USERENV', 'SID')
GROUP BY username, program
ORDER BY COUNT(*) DESC, username, program

-- name: free-bytes
-- The rest of the user's quota. NULL means that only the files limit the size.
SELECT MIN(max_bytes - bytes) FROM user_ts_quotas WHERE max_bytes > 0

-- name: relation-sizes
-- The sizes of one copy's tables and indexes on disk, with all partitions together.
SELECT s.segment_name, SUM(s.bytes) FROM user_segments s WHERE INSTR(s.segment_name, :'prefix') = 1 GROUP BY s.segment_name

-- name: bytes
HEXTORAW(':hex')

-- name: session
-- Sorts texts in binary order, and writes dates and numbers in one form, whatever the client's language and country. Times are in UTC, and
-- statements wait for locks on tables for a short time.
ALTER SESSION SET NLS_LANGUAGE = AMERICAN NLS_TERRITORY = AMERICA NLS_SORT = BINARY NLS_COMP = BINARY TIME_ZONE = '+00:00'
    DDL_LOCK_TIMEOUT = 10

-- name: settings
SELECT p.name, p.value FROM v$parameter p WHERE p.isdefault = 'FALSE' AND p.value IS NOT NULL

-- name: settings-unseen
not visible to this user (GRANT SELECT ON v_$parameter)

-- name: copy
-- Copies into an empty table, past the buffer cache. The same statement has created the two tables.
INSERT /*+ APPEND */ INTO :"table" SELECT * FROM :"kept"

-- name: drop-key
-- Drops the key together with its index.
ALTER TABLE :"table" DROP PRIMARY KEY DROP INDEX

-- name: drop-table
DROP TABLE :"table" PURGE

-- name: explain
EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR :statement

-- name: plan
SELECT p.plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY('PLAN_TABLE', 'siemload', 'TYPICAL +HINT_REPORT')) p

-- name: statistics
BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => ':table'); END;

-- name: errors
-- The numbers of errors, as patterns; their kinds; and advice. The first line that fits counts. Errors from ORA-12150 to ORA-12699
-- are the network's.
ORA-12(1[5-9]|[2-6]\d)\d  CONNECTION  Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server and its listener run.
ORA-(00028|01012|0103[34]|01041|01089|0109[02]|0239[69]|0311[34]|03135|25408)  CONNECTION  Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server and its listener run.
ORA-(17002|17008|17401|17410|17447|17800|17820|17902|18714)  CONNECTION  Check host, port and service in the url (jdbc:oracle:thin:@//host:1521/service), and that the server and its listener run.
ORA-01013  CANCELLED
ORA-00942  REFUSED/NO_TABLE
ORA-(01418|02441)  OTHER/NO_INDEX
ORA-00955  OTHER/NAME_TAKEN
ORA-00054  OTHER/IN_USE  Another program uses this table: end that program.
ORA-01005  OTHER  :login.
ORA-(01017|28000)  REFUSED  :login.
ORA-(01031|01045)  REFUSED  An administrator can allow it: GRANT CREATE SESSION, CREATE TABLE TO <user>.
ORA-(01536|01652|01653|01654|01688|01950)  REFUSED  Give the user more room: ALTER USER ... QUOTA UNLIMITED ON <tablespace>, or a larger tablespace; or take a smaller data set.
ORA-(00018|00020|00040|01562|01650|01691|02391|02393|0403[01]|28001|30036)  REFUSED
ORA-00439  OTHER  The tables are partitioned by day, which this edition does not support (Enterprise, Express and Free Edition do).
ORA-02437  OTHER  An event id occurs twice in the data set.
