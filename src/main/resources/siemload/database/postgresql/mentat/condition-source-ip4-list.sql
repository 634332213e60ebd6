e.source_ip4_hull && :'address'::int8multirange AND e.source_ip4 && :'address'::int8multirange
