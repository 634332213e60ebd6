-- What dropping a partition waits for: everybody who searches or writes the tables, and meanwhile nobody new gets in.
LOCK TABLE :tables IN ACCESS EXCLUSIVE MODE
