PARTITION BY RANGE (detect_time)
