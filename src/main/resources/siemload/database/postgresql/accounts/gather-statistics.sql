VACUUM (ANALYZE) account, teller, branch, history
