SELECT COUNT(*) FROM :"table"
