h.tid::text = :'detector'
