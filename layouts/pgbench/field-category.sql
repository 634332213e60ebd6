ARRAY[h.bid::text]
