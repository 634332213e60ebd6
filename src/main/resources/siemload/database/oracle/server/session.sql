-- Text in binary order, and dates and numbers as text in one form, whatever the client's language and country; times in UTC; and some
-- patience with locks on tables.
ALTER SESSION SET NLS_LANGUAGE = AMERICAN NLS_TERRITORY = AMERICA NLS_SORT = BINARY NLS_COMP = BINARY TIME_ZONE = '+00:00'
    DDL_LOCK_TIMEOUT = 10
