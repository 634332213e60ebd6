-- Into an empty table past the buffer cache. When the server received the event is copied as well.
INSERT /*+ APPEND */ INTO :"event" (:columns, manager_receipt_time)
SELECT :columns, manager_receipt_time FROM :"kept"
