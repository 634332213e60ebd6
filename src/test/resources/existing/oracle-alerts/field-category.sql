e.rule
