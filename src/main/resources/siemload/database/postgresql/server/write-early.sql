-- Has what this session writes put on disk while it goes on: a commit that makes a table must wait until all of it is there.
SET backend_flush_after = '2MB'
