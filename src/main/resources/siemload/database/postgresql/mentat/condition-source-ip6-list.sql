e.source_ip6_hull && :'address'::nummultirange AND e.source_ip6 && :'address'::nummultirange
