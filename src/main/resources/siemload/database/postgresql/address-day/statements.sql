-- name: insert-event-address
-- Stores nothing if the event is already stored.
INSERT INTO event_address (address, detect_time, event_id, side)
SELECT figured.address, :'detect_time'::timestamptz, :'id'::text, figured.side::"char"
FROM unnest(:'addresses'::inet[], :'sides'::text[]) AS figured (address, side)
WHERE NOT EXISTS (
    SELECT FROM event_address stored
    WHERE stored.event_id = :'id'::text AND stored.detect_time = :'detect_time'::timestamptz
)

-- name: indexes-native-address
-- index event_address_address
CREATE INDEX event_address_address ON event_address (address, detect_time DESC);

-- name: event-and-time
:event, a.detect_time

-- name: id-and-time
-- With partitions, a lookup also finds the time of an event, which leads to its partition.
(:id, e.detect_time)

-- name: remove-day
-- lock
LOCK TABLE ONLY events, ONLY events_json, ONLY event_address IN ACCESS EXCLUSIVE MODE;

-- the partitions
DROP TABLE events_:day, events_json_:day, event_address_:day
