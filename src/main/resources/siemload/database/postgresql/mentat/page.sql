-- One page: the rows are chosen first, then only theirs are joined with the JSON.
SELECT e.id, e.detect_time, j.event
FROM (
    SELECT e.id, :time AS detect_time
    FROM events e
    WHERE :conditions
    ORDER BY :time :direction, e.id :direction
    LIMIT :'limit' OFFSET :'offset'
) e
:json
ORDER BY e.detect_time :direction, e.id :direction
