SELECT count(*), coalesce(bit_xor(hash_record_extended(ROW(event_id, address, side), 0)), 0) FROM event_address
