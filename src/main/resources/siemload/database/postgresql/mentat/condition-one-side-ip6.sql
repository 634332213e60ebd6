(e.source_ip6_hull && :'address'::numrange AND e.source_ip6 && :'address'::numrange AND e.source_port && ARRAY[:'port'::int]
    OR e.target_ip6_hull && :'address'::numrange AND e.target_ip6 && :'address'::numrange AND e.target_port && ARRAY[:'port'::int])
