-- Loads rows of one table, or of one partition of it.
COPY :"table" (:columns) FROM STDIN (FORMAT binary, FREEZE :freeze)
