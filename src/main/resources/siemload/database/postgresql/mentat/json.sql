JOIN events_json j ON j.id = e.id
