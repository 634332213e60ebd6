e.node_name
