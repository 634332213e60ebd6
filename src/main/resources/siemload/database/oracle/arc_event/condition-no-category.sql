e.category IS NULL
