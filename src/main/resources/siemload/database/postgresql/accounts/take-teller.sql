-- Reads and changes the row at once, under its lock.
UPDATE teller
SET balance = balance - :'amount'
WHERE teller = :'teller'
RETURNING balance
