-- Written by the database alone: how many events an hour has by a value, for each trend.
CREATE TABLE trend_line (
    trend text COLLATE "C" NOT NULL,
    hour timestamp with time zone NOT NULL,
    value text COLLATE "C" NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (trend, hour, value)
)
