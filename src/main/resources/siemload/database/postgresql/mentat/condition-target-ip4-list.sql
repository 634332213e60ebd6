e.target_ip4_hull && :'address'::int8multirange AND e.target_ip4 && :'address'::int8multirange
