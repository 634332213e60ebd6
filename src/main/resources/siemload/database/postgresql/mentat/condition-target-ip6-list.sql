e.target_ip6_hull && :'address'::nummultirange AND e.target_ip6 && :'address'::nummultirange
