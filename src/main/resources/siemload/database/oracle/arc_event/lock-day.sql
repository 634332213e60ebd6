-- Waits for whoever writes into the day, so that it is known how long that took.
LOCK TABLE :"event" PARTITION FOR (:'day') IN EXCLUSIVE MODE
