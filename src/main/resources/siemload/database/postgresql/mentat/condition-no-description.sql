e.description = ''
