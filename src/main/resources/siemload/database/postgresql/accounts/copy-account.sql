-- Into the table that the same transaction has made, so that nobody has to vacuum it and nothing is logged where there is no replica.
COPY account (account, branch, balance, filler) FROM STDIN (FREEZE)
