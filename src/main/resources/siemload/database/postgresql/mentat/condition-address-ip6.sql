(e.source_ip6_hull && :'address'::numrange AND e.source_ip6 && :'address'::numrange
    OR e.target_ip6_hull && :'address'::numrange AND e.target_ip6 && :'address'::numrange)
