-- The minute is for a row that was just written and is not locked yet.
SELECT prefix FROM siemload_tables
WHERE purpose <> 'kept' AND created < LOCALTIMESTAMP - INTERVAL '1' MINUTE
FOR UPDATE SKIP LOCKED
