(e.source_ip4_hull && :'ip4'::int8multirange AND e.source_ip4 && :'ip4'::int8multirange
    OR e.source_ip6_hull && :'ip6'::nummultirange AND e.source_ip6 && :'ip6'::nummultirange)
