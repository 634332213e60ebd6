-- The last page where it is too large to be turned round by whoever asks.
SELECT l.id, l.detect_time, l.event
FROM (
    SELECT :id AS id, :time AS detect_time, coalesce((:json)::text, '') AS event
    FROM :from
    WHERE :conditions
    ORDER BY :time :reversed, :id :reversed
    LIMIT :'limit'
) l
ORDER BY l.detect_time :direction, l.id :direction
