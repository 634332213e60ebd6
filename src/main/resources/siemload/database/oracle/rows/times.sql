-- When the oldest and the newest event were, how many there are, and how many of them have an infinite time (none here) or none.
SELECT MIN(:time), MAX(:time), COUNT(*), 0, COUNT(*) - COUNT(:time) FROM :from
