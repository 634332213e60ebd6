-- A batch of rows becomes blocks behind all others, without a look for room; each batch is committed.
INSERT /*+ APPEND_VALUES */ INTO :"account" (account, branch, balance, filler)
VALUES (:'account', :'branch', 0, ' ')
