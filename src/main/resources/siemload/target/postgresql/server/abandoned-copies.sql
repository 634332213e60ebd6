-- Copies that no run holds open any more.
SELECT datname
FROM pg_database d
WHERE starts_with(datname, 'siemload_run_')
    AND pg_has_role(datdba, 'USAGE')
    AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid)
