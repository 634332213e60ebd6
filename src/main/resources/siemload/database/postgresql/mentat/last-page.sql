-- The last page where it is too large to be turned round by whoever asks: before the JSON is joined, while rows are small.
SELECT e.id, e.detect_time, j.event
FROM (
    SELECT l.id, l.detect_time
    FROM (
        SELECT e.id, :time AS detect_time
        FROM events e
        WHERE :conditions
        ORDER BY :time :reversed, e.id :reversed
        LIMIT :'limit'
    ) l
    ORDER BY l.detect_time :direction, l.id :direction
) e
:json
ORDER BY e.detect_time :direction, e.id :direction
