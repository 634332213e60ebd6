s.label = :'detector'
