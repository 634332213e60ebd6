isempty(e.source_ip4) AND isempty(e.source_ip6)
    AND isempty(e.target_ip4) AND isempty(e.target_ip6)
