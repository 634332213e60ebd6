e.end_time <= :'time' AND (e.end_time < :'time' OR e.event_id < :'id')
