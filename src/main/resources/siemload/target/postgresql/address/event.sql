a.event_id
