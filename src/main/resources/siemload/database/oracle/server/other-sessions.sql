-- Who else is connected, and whether they are at work.
SELECT username, program, COUNT(*) AS sessions, SUM(CASE WHEN status = 'ACTIVE' THEN 1 ELSE 0 END) AS working
FROM v$session
WHERE type = 'USER' AND username IS NOT NULL AND program <> 'siemload' AND sid <> SYS_CONTEXT('USERENV', 'SID')
GROUP BY username, program
ORDER BY sessions DESC, username, program
