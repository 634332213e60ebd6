SELECT count(*) FROM events e WHERE :conditions
