e.raised >= :'from' AND e.raised < :'until'
