-- Another time after each start.
SELECT TO_CHAR(startup_time, 'YYYY-MM-DD HH24.MI.SS') FROM v$instance
