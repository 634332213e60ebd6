cardinality(e.category) = 0
