-- How large the tables and indexes of one copy are on disk, all their partitions together.
SELECT s.segment_name, SUM(s.bytes) FROM user_segments s WHERE INSTR(s.segment_name, :'prefix') = 1 GROUP BY s.segment_name
