:time >= :'time' AND (:time > :'time' OR :id > :'id_text')
