-- What is left of the user's quota; none means no limit but that of the files.
SELECT MIN(max_bytes - bytes) FROM user_ts_quotas WHERE max_bytes > 0
