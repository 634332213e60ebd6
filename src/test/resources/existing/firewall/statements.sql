-- name: from
soc.firewall_log f JOIN soc.sensor s ON s.id = f.sensor_id

-- name: id
f.log_no::text

-- name: time
f.seen_at

-- name: json
row_to_json(f)

-- name: values
-- category
SELECT f.verdict, count(*) FROM :from GROUP BY f.verdict;

-- detector
SELECT s.label, count(*), min(f.verdict) AS category FROM :from GROUP BY s.label;

-- address
SELECT host(f.src), count(*), min(f.verdict) AS category, min(s.label) AS detector, min(f.dport) AS port FROM :from
WHERE family(f.src) = 4 GROUP BY f.src;

-- name: field-category
ARRAY[f.verdict]

-- name: condition-category
f.verdict = :'category'

-- name: condition-detector
s.label = :'detector'

-- name: condition-port
f.dport = :'port'::int

-- name: condition-source-ip4
f.src BETWEEN '0.0.0.0'::inet + lower(:'address'::int8range) AND '0.0.0.0'::inet + (upper(:'address'::int8range) - 1)

-- name: condition-target-ip4
f.dst BETWEEN '0.0.0.0'::inet + lower(:'address'::int8range) AND '0.0.0.0'::inet + (upper(:'address'::int8range) - 1)
