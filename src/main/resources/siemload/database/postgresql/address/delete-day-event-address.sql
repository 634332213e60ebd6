DELETE FROM event_address WHERE detect_time >= :'from'::timestamptz AND detect_time < :'until'::timestamptz
