-- One row for each address of an event and side, s(ource) or t(arget). What is no single address and no network has the
-- smallest network around it; the table events has the exact ranges.
CREATE TABLE event_address (
    address inet NOT NULL,
    detect_time timestamptz NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    side "char" NOT NULL
) :partitioning
