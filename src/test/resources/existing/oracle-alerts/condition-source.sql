e.source_number BETWEEN :'first_number' AND :'last_number'
