e.source_ip4_hull && :'address'::int8range AND e.source_ip4 && :'address'::int8range
