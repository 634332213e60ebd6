COPY teller (teller, branch, balance, filler) FROM STDIN (FREEZE)
