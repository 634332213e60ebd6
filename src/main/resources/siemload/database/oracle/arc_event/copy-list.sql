INSERT /*+ APPEND */ INTO :"list" (event_id, field, text)
SELECT event_id, field, text FROM :"kept_list"
