BEGIN DBMS_STATS.GATHER_TABLE_STATS(ownname => USER, tabname => :'table'); END;
