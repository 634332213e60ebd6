-- Reads and changes the row at once, under its lock.
UPDATE branch
SET balance = balance - :'amount'
WHERE branch = :'branch'
RETURNING balance
