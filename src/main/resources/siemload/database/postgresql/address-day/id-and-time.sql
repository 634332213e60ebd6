-- By day a lookup finds the time of an event as well, which leads to its partition.
(:id, e.detect_time)
