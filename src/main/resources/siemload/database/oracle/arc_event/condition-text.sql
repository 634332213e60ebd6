INSTR(e.name, :'text') > 0 OR INSTR(e.long_name, :'text') > 0
