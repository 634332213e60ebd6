-- The last page: the first one of the reversed order, turned round.
SELECT p.id, p.happened, p.event
FROM (
    SELECT :hint :id AS id, :time AS happened, :json AS event
    FROM :from
    WHERE :conditions
    ORDER BY :time :reversed, :id :reversed
    FETCH FIRST :'size' ROWS ONLY
) p
ORDER BY p.happened :direction, p.id :direction
