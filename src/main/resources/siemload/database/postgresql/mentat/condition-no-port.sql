cardinality(e.source_port) = 0 AND cardinality(e.target_port) = 0
