INSERT /*+ APPEND */ INTO :"addr" (event_id, side, address_lo, address_hi)
SELECT event_id, side, address_lo, address_hi FROM :"kept_addr"
