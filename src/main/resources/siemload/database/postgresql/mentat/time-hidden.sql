least(e.detect_time)
