SELECT count(*)
FROM :from
WHERE :conditions
