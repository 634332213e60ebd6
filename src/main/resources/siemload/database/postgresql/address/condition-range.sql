-- An address of the event is one of these networks, or begins inside the range.
:id IN (
    SELECT :event
    FROM event_address a
    WHERE ((a.address = ANY (:'networks'::inet[]) OR a.address BETWEEN :'first'::inet AND :'last'::inet):side) :truth
)
