least(:time)
