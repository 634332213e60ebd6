-- name: lines
SELECT hour, value, events FROM trend_line WHERE trend = :'trend'

-- name: store
-- Sums up the hours and puts their lines in the place of those that there are.
INSERT INTO trend_line (trend, hour, value, events)
SELECT CAST(:'trend' AS text), line.hour, line.value, line.events
FROM (
:summary
) line (hour, value, events)
ON CONFLICT (trend, hour, value) DO UPDATE SET events = excluded.events

-- name: table-trend-line
-- Written by the database alone: how many events an hour has by a value, for each trend.
CREATE TABLE trend_line (
    trend text COLLATE "C" NOT NULL,
    hour timestamp with time zone NOT NULL,
    value text COLLATE "C" NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (trend, hour, value)
)
