-- The whole event as IDEA JSON in UTF-8; bytes, since neither text nor jsonb can hold the NUL characters of real events.
CREATE TABLE events_json (
    id text COLLATE "C" NOT NULL,
    event bytea NOT NULL
) :partitioning
