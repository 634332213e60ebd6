e.end_time >= :'from' AND e.end_time < :'until'
