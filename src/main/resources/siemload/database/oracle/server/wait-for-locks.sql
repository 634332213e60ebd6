-- Seconds; unless told so, a change of a table fails at once where somebody holds a lock.
ALTER SESSION SET DDL_LOCK_TIMEOUT = 600
