e.source_port IS NULL AND e.target_port IS NULL
