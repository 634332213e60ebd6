(:time, :id) < (:'detect_time', :'id')
