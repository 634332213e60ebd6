e.target_port IS NULL
