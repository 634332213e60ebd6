(e.source_ip6_hull && :'address'::nummultirange AND e.source_ip6 && :'address'::nummultirange
    OR e.target_ip6_hull && :'address'::nummultirange AND e.target_ip6 && :'address'::nummultirange)
