COPY :"table" (id, event) FROM STDIN (FORMAT binary, FREEZE :freeze)
