f.dport = :'port'::int
