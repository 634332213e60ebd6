UPDATE :"branch" SET balance = balance - :'amount' WHERE branch = :'branch'
