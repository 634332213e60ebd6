SELECT balance FROM :"branch" WHERE branch = :'branch' FOR UPDATE
