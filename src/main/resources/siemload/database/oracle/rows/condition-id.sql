:id = :'id_text'
