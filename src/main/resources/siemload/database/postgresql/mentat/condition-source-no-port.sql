cardinality(e.source_port) = 0
