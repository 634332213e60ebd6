-- Row by row, as a user would; TRUNCATE would only throw the files away.
DELETE FROM :"table"
