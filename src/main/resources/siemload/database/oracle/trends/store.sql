-- Sums up the hours and puts their lines in the place of those that there are.
MERGE INTO :"trend_line" l
USING (
    SELECT CAST(:'trend' AS VARCHAR2(100 BYTE)) AS trend,
        CAST(:'from' AS TIMESTAMP) + line.step * INTERVAL '1' HOUR AS hour_start,
        line.text AS text,
        line.events AS events
    FROM (
:summary
    ) line
) s
ON (l.trend = s.trend AND l.hour_start = s.hour_start AND l.text = s.text)
WHEN MATCHED THEN UPDATE SET l.events = s.events
WHEN NOT MATCHED THEN INSERT (trend, hour_start, text, events) VALUES (s.trend, s.hour_start, s.text, s.events)
