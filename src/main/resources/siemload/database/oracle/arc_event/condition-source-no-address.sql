e.source_addresses = 0
