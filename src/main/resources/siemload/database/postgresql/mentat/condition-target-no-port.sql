cardinality(e.target_port) = 0
