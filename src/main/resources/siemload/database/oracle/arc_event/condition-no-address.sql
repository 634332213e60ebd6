e.source_addresses = 0 AND e.target_addresses = 0
