CROSS JOIN LATERAL (
    SELECT j.event FROM events_json j WHERE j.id = e.id AND j.detect_time = e.detect_time OFFSET 0
) j
