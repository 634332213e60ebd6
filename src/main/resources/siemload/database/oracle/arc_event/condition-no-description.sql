e.name IS NULL AND e.long_name IS NULL
