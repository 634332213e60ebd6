e.detect_time
