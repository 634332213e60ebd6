INSERT INTO :"addr" (event_id, side, address_lo, address_hi) VALUES (:'event_id', :'side', :'lo', :'hi')
