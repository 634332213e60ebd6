:event, a.detect_time
