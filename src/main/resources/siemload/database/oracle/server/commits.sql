SELECT SUM(value) FROM v$sysstat WHERE name IN ('user commits', 'user rollbacks', 'execute count')
