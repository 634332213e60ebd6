COPY events (:columns) FROM STDIN (FORMAT binary, FREEZE :freeze)
