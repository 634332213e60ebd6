DROP INDEX :"index"
