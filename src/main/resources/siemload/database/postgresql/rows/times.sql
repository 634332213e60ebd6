-- When the oldest and the newest event were, how many there are, and how many of them have an infinite time or none.
SELECT min(:time) FILTER (WHERE isfinite(:time)), max(:time) FILTER (WHERE isfinite(:time)), count(*),
    count(*) FILTER (WHERE NOT isfinite(:time)), count(*) FILTER (WHERE :time IS NULL)
FROM :from
