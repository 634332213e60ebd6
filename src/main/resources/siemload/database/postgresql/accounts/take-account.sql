-- Reads and changes the row at once, under its lock.
UPDATE account
SET balance = balance - :'amount'
WHERE account = :'account'
RETURNING balance
