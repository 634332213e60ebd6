SELECT count(*)
FROM history
WHERE id = :'id'
