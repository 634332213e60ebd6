e.description = :'text'
