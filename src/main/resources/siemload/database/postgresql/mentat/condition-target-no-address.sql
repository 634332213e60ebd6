isempty(e.target_ip4) AND isempty(e.target_ip6)
