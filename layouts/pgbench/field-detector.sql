ARRAY[h.tid::text]
