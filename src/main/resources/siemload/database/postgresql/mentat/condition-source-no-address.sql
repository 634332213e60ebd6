isempty(e.source_ip4) AND isempty(e.source_ip6)
