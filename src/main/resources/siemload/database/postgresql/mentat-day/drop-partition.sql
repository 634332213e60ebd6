DROP TABLE :"partition"
