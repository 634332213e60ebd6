-- The commit waits for the server's own disk, and for no replica.
SET LOCAL synchronous_commit = local
