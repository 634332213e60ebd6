-- Only if nobody has changed it in between.
UPDATE :table
SET name = :'name', purpose = :'purpose', fingerprint = :'fingerprint', label = :'label', identity = :'identity',
    contents = :'contents', events = :'events', holder = :'holder', beat = :'beat', seen = :'seen'
WHERE entry_key = :'key' AND beat = :'earlier_beat'
