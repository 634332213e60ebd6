e.rule = :'text'
