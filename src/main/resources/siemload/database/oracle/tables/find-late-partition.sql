-- Whether there is room for the events that the days do not reach.
SELECT COUNT(*) FROM user_tab_partitions p WHERE p.table_name = :'table_name' AND p.partition_name = 'LATE'
