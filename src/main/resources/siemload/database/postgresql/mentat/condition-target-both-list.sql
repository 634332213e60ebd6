(e.target_ip4_hull && :'ip4'::int8multirange AND e.target_ip4 && :'ip4'::int8multirange
    OR e.target_ip6_hull && :'ip6'::nummultirange AND e.target_ip6 && :'ip6'::nummultirange)
