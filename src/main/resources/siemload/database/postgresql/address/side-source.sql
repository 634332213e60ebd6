AND a.side = 's'
