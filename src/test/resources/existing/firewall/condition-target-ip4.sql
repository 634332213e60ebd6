f.dst BETWEEN '0.0.0.0'::inet + lower(:'address'::int8range) AND '0.0.0.0'::inet + (upper(:'address'::int8range) - 1)
