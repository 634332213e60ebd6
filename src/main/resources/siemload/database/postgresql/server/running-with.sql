-- Whether another session of this user is working on a statement that has this text in it.
SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE state = 'active' AND pid <> pg_backend_pid() AND usename = current_user AND strpos(query, :'text') > 0
)
