-- Row by row, as a user would; TRUNCATE would only give the space back.
DELETE FROM :"table"
