INSERT INTO :"branch" (branch, balance, filler)
VALUES (:'branch', 0, ' ')
