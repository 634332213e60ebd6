SELECT balance FROM :"teller" WHERE teller = :'teller' FOR UPDATE
