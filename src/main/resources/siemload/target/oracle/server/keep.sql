UPDATE siemload_tables SET purpose = 'kept' WHERE prefix = :'prefix'
