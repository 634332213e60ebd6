ARRAY[to_char(e.detect_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00Z"')]
