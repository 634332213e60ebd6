-- The last page where it is too large to be turned round by whoever asks: before the JSON is looked for, while rows are small.
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
CROSS JOIN LATERAL (
    SELECT j.event FROM events_json j WHERE j.id = e.id AND j.detect_time = e.detect_time OFFSET 0
) j
ORDER BY e.detect_time :direction, e.id :direction
