jsonb_path_exists(to_jsonb(e.target_port), '$[*] ? (@ >= $first && @ <= $last)', jsonb_build_object('first', :'first'::int, 'last', :'last'::int))
