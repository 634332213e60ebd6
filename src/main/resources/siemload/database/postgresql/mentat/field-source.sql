-- In decimal and of equal length, after the number of the family, so that texts have the order of addresses.
array_remove(ARRAY[coalesce(
    '4' || lpad(lower(e.source_ip4_hull)::text, 10, '0'),
    '6' || lpad(lower(e.source_ip6_hull)::text, 39, '0'))], NULL)
