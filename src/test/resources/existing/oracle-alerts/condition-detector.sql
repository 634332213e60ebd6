e.sensor = :'text'
