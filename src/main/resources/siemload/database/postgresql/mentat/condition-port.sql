(e.source_port && ARRAY[:'port'::int] OR e.target_port && ARRAY[:'port'::int])
