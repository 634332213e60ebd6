SELECT COUNT(*) FROM :"history" WHERE id = :'id'
