INSERT INTO history (id, account, teller, branch, amount, at, filler)
VALUES (:'id', :'account', :'teller', :'branch', :'amount', CURRENT_TIMESTAMP, '')
