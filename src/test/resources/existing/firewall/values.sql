-- category
SELECT f.verdict, count(*) FROM :from GROUP BY f.verdict;

-- detector
SELECT s.label, count(*), min(f.verdict) AS category FROM :from GROUP BY s.label;

-- address
SELECT host(f.src), count(*), min(f.verdict) AS category, min(s.label) AS detector, min(f.dport) AS port FROM :from
WHERE family(f.src) = 4 GROUP BY f.src;
