e.source_ip6_hull && :'address'::numrange AND e.source_ip6 && :'address'::numrange
