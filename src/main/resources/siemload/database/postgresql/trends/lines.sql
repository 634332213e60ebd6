SELECT hour, value, events FROM trend_line WHERE trend = :'trend'
