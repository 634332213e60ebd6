(e.source_port || e.target_port)::text[]
