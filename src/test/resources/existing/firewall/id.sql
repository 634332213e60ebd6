f.log_no::text
