COPY events (:columns) FROM STDIN (FREEZE)
