AND a.side = 't'
