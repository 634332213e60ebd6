-- When the oldest and the newest event were, and how many there are.
SELECT MIN(:time), MAX(:time), COUNT(*) FROM :from
