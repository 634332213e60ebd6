e.target_ip6_hull && :'address'::numrange AND e.target_ip6 && :'address'::numrange
