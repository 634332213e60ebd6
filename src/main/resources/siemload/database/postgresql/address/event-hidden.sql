least(a.event_id)
