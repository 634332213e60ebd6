-- name: copy
-- Into an empty table past the buffer cache. Both have been made by the same statement.
INSERT /*+ APPEND */ INTO :"table" SELECT * FROM :"kept"

-- name: drop-key
-- With its index.
ALTER TABLE :"table" DROP PRIMARY KEY DROP INDEX

-- name: drop-table
DROP TABLE :"table" PURGE

-- name: explain
EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR :statement

-- name: plan
SELECT p.plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY('PLAN_TABLE', 'siemload', 'TYPICAL +HINT_REPORT')) p

-- name: statistics
BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => ':table'); END;
