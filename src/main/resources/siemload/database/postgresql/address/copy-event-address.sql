COPY :"table" (address, detect_time, event_id, side) FROM STDIN (FORMAT binary, FREEZE :freeze)
