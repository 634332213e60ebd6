INSERT INTO :"teller" (teller, branch, balance, filler)
VALUES (:'teller', :'branch', 0, ' ')
