:id = :'id'
