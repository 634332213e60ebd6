-- What the counters' units are, and whether the server counts at all.
SELECT current_setting('server_version_num')::int AS version_number,
    current_setting('block_size')::int AS block_size,
    current_setting('track_counts')::bool AS track_counts
