:time >= :'from' AND :time < :'until'
