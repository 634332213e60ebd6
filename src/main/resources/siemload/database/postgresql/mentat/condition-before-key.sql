(e.detect_time, e.id) < (:'detect_time', :'id')
