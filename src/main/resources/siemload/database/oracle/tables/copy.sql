-- Into an empty table past the buffer cache.
INSERT /*+ APPEND */ INTO :"table" (:columns) SELECT :columns FROM :"kept"
