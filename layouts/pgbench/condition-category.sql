h.bid::text = :'category'
