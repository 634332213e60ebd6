-- No row unless the server took what this connection asked for when it began: behind a pooler the session may be one of others.
SELECT set_config('default_transaction_read_only', 'on', false)
WHERE current_setting('siemload.reading', true) = 'on'
