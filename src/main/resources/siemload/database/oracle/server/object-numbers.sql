-- A table that is made anew has another number, whatever its name.
SELECT object_name, object_id FROM user_objects
WHERE object_type = 'TABLE' AND object_name LIKE :'prefix' || '\_%' ESCAPE '\'
ORDER BY object_name
