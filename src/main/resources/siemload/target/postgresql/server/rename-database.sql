ALTER DATABASE :"database" RENAME TO :"kept"
