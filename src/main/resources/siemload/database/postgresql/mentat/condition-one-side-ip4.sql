(e.source_ip4_hull && :'address'::int8range AND e.source_ip4 && :'address'::int8range AND e.source_port && ARRAY[:'port'::int]
    OR e.target_ip4_hull && :'address'::int8range AND e.target_ip4 && :'address'::int8range AND e.target_port && ARRAY[:'port'::int])
