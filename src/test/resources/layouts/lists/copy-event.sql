INSERT INTO :"event" (:columns) SELECT :columns FROM :"kept"
