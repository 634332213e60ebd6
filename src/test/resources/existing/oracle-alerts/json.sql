-- An event as a browser shows it.
'{"rule": "' || e.rule || '"}'
