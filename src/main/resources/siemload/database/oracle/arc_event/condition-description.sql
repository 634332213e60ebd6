e.name = :'text'
