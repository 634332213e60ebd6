-- The text of a statement, as the driver sent it.
SELECT s.sql_fulltext FROM v$sqlstats s WHERE s.sql_id = :'id' AND ROWNUM = 1
