UPDATE :"account" SET balance = balance - :'amount' WHERE account = :'account'
