-- The whole event as IDEA JSON, with the detect time beside it, so that the JSON of a day lies in a partition of its own.
CREATE TABLE events_json (
    id text COLLATE "C" NOT NULL,
    detect_time timestamptz NOT NULL,
    event bytea NOT NULL
) :partitioning
