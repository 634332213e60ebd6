-- What all balances together are below 0, the sum of the history, and its rows.
SELECT
    (SELECT NVL(-SUM(balance), 0) FROM :"account") AS accounts_sum,
    (SELECT NVL(-SUM(balance), 0) FROM :"teller") AS tellers_sum,
    (SELECT NVL(-SUM(balance), 0) FROM :"branch") AS branches_sum,
    (SELECT NVL(SUM(amount), 0) FROM :"history") AS history_sum,
    (SELECT COUNT(*) FROM :"history") AS history_rows
FROM DUAL
