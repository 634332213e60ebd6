e.target_port && ARRAY[:'port'::int]
