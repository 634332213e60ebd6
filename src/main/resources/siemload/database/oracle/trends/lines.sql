SELECT l.hour_start, l.text, l.events FROM :"trend_line" l WHERE l.trend = :'trend'
