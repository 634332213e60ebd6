-- category
SELECT bid, count(*) FROM :from GROUP BY bid;

-- detector
SELECT tid, count(*), min(bid) AS category FROM :from GROUP BY tid;

-- id
SELECT :id, 1 FROM :from ORDER BY random() LIMIT 1000;
