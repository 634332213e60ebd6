COPY :"table" (id, detect_time, event) FROM STDIN (FORMAT binary, FREEZE :freeze)
