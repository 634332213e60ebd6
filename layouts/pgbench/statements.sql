-- name: from
pgbench_history h

-- name: id
-- The table has no key, so the physical place of a row identifies it, as long as the row does not change.
h.ctid::text

-- name: time
h.mtime AT TIME ZONE 'UTC'

-- name: json
row_to_json(h)

-- name: values
-- category
SELECT bid, count(*) FROM :from GROUP BY bid;

-- detector
SELECT tid, count(*), min(bid) AS category FROM :from GROUP BY tid;

-- id
SELECT :id, 1 FROM :from ORDER BY random() LIMIT 1000;

-- name: field-category
ARRAY[h.bid::text]

-- name: field-detector
ARRAY[h.tid::text]

-- name: condition-category
h.bid::text = :'category'

-- name: condition-detector
h.tid::text = :'detector'
