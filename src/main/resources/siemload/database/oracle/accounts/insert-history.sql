INSERT INTO :"history" (id, account, teller, branch, amount, made_at, filler)
VALUES (:'id', :'account', :'teller', :'branch', :'amount', CURRENT_TIMESTAMP, ' ')
