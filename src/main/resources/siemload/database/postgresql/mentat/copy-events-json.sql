COPY events_json (id, event) FROM STDIN (FORMAT binary, FREEZE :freeze)
