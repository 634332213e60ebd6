COPY :"table" (:columns) FROM STDIN (FORMAT binary, FREEZE :freeze)
