e.event_id = :'id'
