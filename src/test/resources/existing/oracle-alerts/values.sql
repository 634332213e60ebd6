-- category
SELECT e.rule, COUNT(*) FROM :from WHERE e.rule IS NOT NULL GROUP BY e.rule;

-- detector
SELECT e.sensor, COUNT(*), MIN(e.rule) AS category FROM :from GROUP BY e.sensor;

-- source
SELECT e.source_text, COUNT(*) FROM :from GROUP BY e.source_text;
