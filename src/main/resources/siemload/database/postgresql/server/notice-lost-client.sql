-- Not on every system: a server on Windows refuses it.
SET client_connection_check_interval = '2s'
