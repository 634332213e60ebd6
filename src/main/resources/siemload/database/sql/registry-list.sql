SELECT name, purpose, fingerprint, label, identity, contents, events, holder, beat, seen FROM :table
