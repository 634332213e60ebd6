h.mtime AT TIME ZONE 'UTC'
