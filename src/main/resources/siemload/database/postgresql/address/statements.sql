-- name: table-event-address
-- One row for each address of an event and side, s(ource) or t(arget). A range that is not a network is
-- stored as the smallest network around it. The table events has the exact ranges.
CREATE TABLE event_address (
    address inet NOT NULL,
    detect_time timestamptz NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    side "char" NOT NULL
) :partitioning

-- name: insert-event-address
-- Stores nothing if the event is already stored.
INSERT INTO event_address (address, detect_time, event_id, side)
SELECT figured.address, :'detect_time'::timestamptz, :'id'::text, figured.side::"char"
FROM unnest(:'addresses'::inet[], :'sides'::text[]) AS figured (address, side)
WHERE NOT EXISTS (SELECT FROM event_address stored WHERE stored.event_id = :'id'::text)

-- name: contents-event-address
SELECT count(*), coalesce(bit_xor(hash_record_extended(ROW(event_id, address, side), 0)), 0) FROM event_address

-- name: remove-day
-- Rows that refer to events are deleted first.
DELETE FROM event_address WHERE detect_time >= :'from'::timestamptz AND detect_time < :'until'::timestamptz;

-- their JSON
DELETE FROM events_json j
USING events e
WHERE e.id = j.id AND e.detect_time >= :'from'::timestamptz AND e.detect_time < :'until'::timestamptz;

-- the events
DELETE FROM events WHERE detect_time >= :'from'::timestamptz AND detect_time < :'until'::timestamptz

-- name: keys-address
-- index event_address_event
CREATE INDEX event_address_event ON event_address (event_id);

-- name: indexes-compound-address
-- index event_address_address
CREATE INDEX event_address_address ON event_address (address, detect_time DESC);

-- name: indexes-fields-address
-- index event_address_address
CREATE INDEX event_address_address ON event_address (address);

-- name: indexes-native-address
-- foreign key event_address_event_id
ALTER TABLE event_address
    ADD CONSTRAINT event_address_event_id FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE;

-- index event_address_address
CREATE INDEX event_address_address ON event_address (address, detect_time DESC);

-- name: event
a.event_id

-- name: event-hidden
least(a.event_id)

-- name: recheck
-- The exact check of events that the lookup found. It is a CASE, so that its estimate is not multiplied with that of the lookup.
CASE WHEN :condition THEN true ELSE false END

-- name: lookup
-- Finds the events that may contain an address, with the table of addresses.
:id IN (
    SELECT :event
    FROM event_address a
    WHERE :conditions
)

-- name: condition-networks
-- An address of the event is one of these networks: all networks around the searched addresses, including single addresses.
a.address = ANY (:'networks'::inet[])

-- name: condition-range
-- An address of the event is one of these networks, or begins inside the range.
(a.address = ANY (:'networks'::inet[]) OR a.address BETWEEN :'first'::inet AND :'last'::inet)

-- name: condition-lookup-window
a.detect_time >= :'from' AND a.detect_time < :'until'

-- name: condition-{side}-lookup
a.side = '{s}'
