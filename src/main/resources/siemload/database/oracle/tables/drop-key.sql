-- With its index.
ALTER TABLE :"table" DROP PRIMARY KEY DROP INDEX
