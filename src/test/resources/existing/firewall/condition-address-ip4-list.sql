EXISTS (SELECT FROM unnest(:'address'::int8multirange) AS one
    WHERE f.src BETWEEN '0.0.0.0'::inet + lower(one) AND '0.0.0.0'::inet + (upper(one) - 1)
       OR f.dst BETWEEN '0.0.0.0'::inet + lower(one) AND '0.0.0.0'::inet + (upper(one) - 1))
