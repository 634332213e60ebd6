e.id = :'id'
