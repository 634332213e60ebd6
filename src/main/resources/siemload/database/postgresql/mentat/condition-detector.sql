e.node_name && ARRAY[:'detector']
