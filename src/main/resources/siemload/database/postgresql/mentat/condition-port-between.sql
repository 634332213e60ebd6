(jsonb_path_exists(to_jsonb(e.source_port), '$[*] ? (@ >= $first && @ <= $last)', jsonb_build_object('first', :'first'::int, 'last', :'last'::int))
    OR jsonb_path_exists(to_jsonb(e.target_port), '$[*] ? (@ >= $first && @ <= $last)', jsonb_build_object('first', :'first'::int, 'last', :'last'::int)))
