-- name: event
a.event_id

-- name: event-hidden
least(a.event_id)

-- name: recheck
-- The exact check of what the lookup found; a CASE, so that its estimate is not multiplied with that of the lookup.
CASE WHEN :condition THEN true ELSE false END

-- name: lookup
-- How the table of addresses finds the events in which one may have figured.
:id IN (
    SELECT :event
    FROM event_address a
    WHERE (:conditions) :truth
)

-- name: condition-networks
-- An address of the event is one of these networks: those around the addresses that are looked for, single ones included.
a.address = ANY (:'networks'::inet[])

-- name: condition-range
-- The same, or it begins inside the range.
(a.address = ANY (:'networks'::inet[]) OR a.address BETWEEN :'first'::inet AND :'last'::inet)

-- name: condition-lookup-window
a.detect_time >= :'from' AND a.detect_time < :'until'

-- name: condition-{side}-lookup
a.side = '{s}'
