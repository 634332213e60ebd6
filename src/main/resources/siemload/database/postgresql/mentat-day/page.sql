-- One page: the rows are chosen first, then their JSON is looked for in the partitions of their days. OFFSET 0 keeps the planner
-- from joining all partitions instead.
SELECT e.id, e.detect_time, j.event
FROM (
    SELECT e.id, :time AS detect_time
    FROM events e
    WHERE :conditions
    ORDER BY :time :direction, e.id :direction
    LIMIT :'limit' OFFSET :'offset'
) e
CROSS JOIN LATERAL (
    SELECT j.event FROM events_json j WHERE j.id = e.id AND j.detect_time = e.detect_time OFFSET 0
) j
ORDER BY e.detect_time :direction, e.id :direction
