-- Text in binary order whatever the client's language, times in UTC, and some patience with locks on tables.
ALTER SESSION SET NLS_SORT = BINARY NLS_COMP = BINARY TIME_ZONE = '+00:00' DDL_LOCK_TIMEOUT = 10
