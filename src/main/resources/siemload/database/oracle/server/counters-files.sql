-- The blocks of all data files by what their tablespace is for; needs SELECT on v_$filestat and v_$tempstat, and on
-- dba_data_files, dba_temp_files and dba_tablespaces.
SELECT t.contents, SUM(f.phyblkrd) AS block_reads, SUM(f.phyblkrd * t.block_size) AS read_bytes,
    SUM(f.phyblkwrt) AS block_writes, SUM(f.phyblkwrt * t.block_size) AS written_bytes
FROM v$filestat f
JOIN dba_data_files d ON d.file_id = f.file#
JOIN dba_tablespaces t ON t.tablespace_name = d.tablespace_name
GROUP BY t.contents
UNION ALL
SELECT t.contents, SUM(f.phyblkrd), SUM(f.phyblkrd * t.block_size),
    SUM(f.phyblkwrt), SUM(f.phyblkwrt * t.block_size)
FROM v$tempstat f
JOIN dba_temp_files d ON d.file_id = f.file#
JOIN dba_tablespaces t ON t.tablespace_name = d.tablespace_name
GROUP BY t.contents
