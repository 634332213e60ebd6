INSTR(e.long_name, :'text') = 1 AND LENGTH(e.long_name) = LENGTH(:'text')
