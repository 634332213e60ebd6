SELECT count(*), coalesce(bit_xor(hash_record_extended(ROW(id, length(event)), 0)), 0) FROM events_json
