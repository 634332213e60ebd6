e.rule IS NULL
