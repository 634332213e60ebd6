-- What all balances together are below 0, the sum of the history, and its rows.
SELECT
    (SELECT coalesce(-sum(balance), 0) FROM account) AS accounts,
    (SELECT coalesce(-sum(balance), 0) FROM teller) AS tellers,
    (SELECT coalesce(-sum(balance), 0) FROM branch) AS branches,
    (SELECT coalesce(sum(amount), 0) FROM history) AS history,
    (SELECT count(*) FROM history) AS rows
