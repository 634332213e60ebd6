-- When the oldest and the newest event were, and how many there are.
SELECT min(:time), max(:time), count(*)
FROM :from
