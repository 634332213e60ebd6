SELECT balance
FROM account
WHERE account = :'account'
FOR UPDATE
