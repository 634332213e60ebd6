e.port = :'port'
