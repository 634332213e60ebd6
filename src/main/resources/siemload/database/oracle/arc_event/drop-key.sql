-- With its index.
ALTER TABLE :"event" DROP PRIMARY KEY DROP INDEX
