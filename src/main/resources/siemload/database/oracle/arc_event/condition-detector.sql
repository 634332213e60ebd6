e.device_host_name IN (:'text', :'several') AND (e.device_host_name = :'text' OR EXISTS (
    SELECT 1 FROM :"list" l WHERE l.event_id = e.event_id AND l.field = 'D' AND l.text = :'text'))
