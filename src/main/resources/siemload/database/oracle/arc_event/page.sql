-- One page. The hint comes right after SELECT and names the table by its alias e.
SELECT :hint e.event_id, e.end_time, e.raw_event
FROM :"event" e
WHERE :conditions
ORDER BY e.end_time :direction, e.event_id :direction
OFFSET :'offset' ROWS FETCH NEXT :'size' ROWS ONLY
