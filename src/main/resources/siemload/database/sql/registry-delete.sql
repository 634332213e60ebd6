DELETE FROM :table WHERE entry_key = :'key' AND beat = :'beat'
