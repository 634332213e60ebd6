-- Sums up the hours and puts their lines in the place of those that there are.
INSERT INTO trend_line (trend, hour, value, events)
SELECT CAST(:'trend' AS text), line.hour, line.value, line.events
FROM (
:summary
) line (hour, value, events)
ON CONFLICT (trend, hour, value) DO UPDATE SET events = excluded.events
