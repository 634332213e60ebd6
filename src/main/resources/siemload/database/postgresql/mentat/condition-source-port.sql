e.source_port && ARRAY[:'port'::int]
