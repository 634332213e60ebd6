-- Writes a few bytes into the log that mean nothing: when their transaction is committed, all that was acknowledged before is on its
-- way to replicas, also where commits do not wait for the disk.
SELECT pg_logical_emit_message(true, 'siemload', 'replicas')
