SELECT balance FROM :"branch" WHERE branch = :'branch'
