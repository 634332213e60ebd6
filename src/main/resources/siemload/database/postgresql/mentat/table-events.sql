-- What is searched: one row an event. The hulls cover all addresses of one side, for the index; the multiranges are exact.
CREATE TABLE events (
    id text COLLATE "C" NOT NULL,
    detect_time timestamptz NOT NULL,
    storage_time timestamptz NOT NULL DEFAULT now(),
    category text[] NOT NULL,
    description text NOT NULL,
    source_ip4 int8multirange NOT NULL,
    target_ip4 int8multirange NOT NULL,
    source_ip4_hull int8range NOT NULL,
    target_ip4_hull int8range NOT NULL,
    source_ip6 nummultirange NOT NULL,
    target_ip6 nummultirange NOT NULL,
    source_ip6_hull numrange NOT NULL,
    target_ip6_hull numrange NOT NULL,
    source_port int[] NOT NULL,
    target_port int[] NOT NULL,
    source_type text[] NOT NULL,
    target_type text[] NOT NULL,
    protocol text[] NOT NULL,
    node_name text[] NOT NULL,
    node_type text[] NOT NULL
) :partitioning
