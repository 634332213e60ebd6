-- What siemload has made on this server for this user, or is about to make.
CREATE TABLE IF NOT EXISTS siemload_objects (
    entry_key text PRIMARY KEY,
    name text NOT NULL,
    purpose text NOT NULL,
    fingerprint text NOT NULL,
    label text NOT NULL,
    identity text NOT NULL,
    contents text NOT NULL,
    events bigint NOT NULL,
    holder text NOT NULL,
    beat bigint NOT NULL,
    seen bigint NOT NULL
)
