e.source_port IS NULL
