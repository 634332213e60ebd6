-- index events_address
CREATE INDEX events_address ON events USING gist (source_ip4_hull, target_ip4_hull, source_ip6_hull, target_ip6_hull);
