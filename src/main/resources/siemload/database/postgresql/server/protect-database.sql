-- Copies do not inherit it.
ALTER DATABASE :"kept" SET default_transaction_read_only = on
