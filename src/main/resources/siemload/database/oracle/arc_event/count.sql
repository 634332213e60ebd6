SELECT :hint COUNT(*) FROM :"event" e WHERE :conditions
