-- What all balances together are below 0, the sum of the history, and its rows.
SELECT
    (SELECT coalesce(-sum(balance), 0) FROM account) AS accounts_sum,
    (SELECT coalesce(-sum(balance), 0) FROM teller) AS tellers_sum,
    (SELECT coalesce(-sum(balance), 0) FROM branch) AS branches_sum,
    (SELECT coalesce(sum(amount), 0) FROM history) AS history_sum,
    (SELECT count(*) FROM history) AS history_rows
