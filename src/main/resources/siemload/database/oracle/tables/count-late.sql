SELECT COUNT(*) FROM :"kept" :portion
