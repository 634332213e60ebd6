(SELECT MIN(RAWTOHEX(a.address_lo)) FROM :"addr" a WHERE a.event_id = e.event_id AND a.side = 'S')
