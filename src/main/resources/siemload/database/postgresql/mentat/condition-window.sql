e.detect_time >= :'from' AND e.detect_time < :'until'
