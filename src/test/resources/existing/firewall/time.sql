f.seen_at
