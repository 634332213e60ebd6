SELECT COUNT(*) FROM :"event"
