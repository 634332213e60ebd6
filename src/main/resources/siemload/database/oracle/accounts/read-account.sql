SELECT balance FROM :"account" WHERE account = :'account'
