e.target_addresses = 0
