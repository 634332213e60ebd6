SELECT relname FROM pg_class WHERE relname = :'partition' AND relispartition
