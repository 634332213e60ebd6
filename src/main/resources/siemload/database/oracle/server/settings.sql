SELECT p.name, p.value FROM v$parameter p WHERE p.isdefault = 'FALSE' AND p.value IS NOT NULL
