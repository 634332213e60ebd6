TO_CHAR(e.end_time, 'YYYY-MM-DD"T"HH24":00:00Z"')
