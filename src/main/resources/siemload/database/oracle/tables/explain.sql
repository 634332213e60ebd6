EXPLAIN PLAN SET STATEMENT_ID = 'siemload' FOR :statement
