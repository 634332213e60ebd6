-- An address of the event is one of these networks: those around the addresses that are looked for, single ones included.
:id IN (
    SELECT :event
    FROM event_address a
    WHERE (a.address = ANY (:'networks'::inet[]):side) :truth
)
