-- The values in another order than the columns have in layout.yaml.
INSERT INTO :"addr" (side, address_hi, address_lo, happened, event_id)
VALUES (:'side', :'last', :'first', :'detect_time', :'id')
