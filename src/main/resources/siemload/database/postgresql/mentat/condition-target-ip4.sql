e.target_ip4_hull && :'address'::int8range AND e.target_ip4 && :'address'::int8range
