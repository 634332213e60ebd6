COPY branch (branch, balance, filler) FROM STDIN (FREEZE)
