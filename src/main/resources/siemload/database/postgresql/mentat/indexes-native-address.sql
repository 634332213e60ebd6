-- index events_hulls
CREATE INDEX events_hulls ON events USING gist (source_ip4_hull, target_ip4_hull, source_ip6_hull, target_ip6_hull);
