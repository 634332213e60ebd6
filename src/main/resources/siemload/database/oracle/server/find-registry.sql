SELECT entry_key, name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen
FROM siemload_tables
WHERE 1 = 0
