SELECT :hint COUNT(*) FROM :from WHERE :conditions
