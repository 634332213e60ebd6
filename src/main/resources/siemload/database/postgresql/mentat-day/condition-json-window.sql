-- What follows from the window of the events, which the planner does not see: only so it leaves out the JSON of other days.
j.detect_time >= :'from' AND j.detect_time < :'until'
