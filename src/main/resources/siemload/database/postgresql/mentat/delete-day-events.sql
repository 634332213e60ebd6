-- Row by row, as a user would who has no partitions.
DELETE FROM events WHERE detect_time >= :'from'::timestamptz AND detect_time < :'until'::timestamptz
