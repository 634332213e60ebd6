UPDATE :"teller" SET balance = balance - :'amount' WHERE teller = :'teller'
