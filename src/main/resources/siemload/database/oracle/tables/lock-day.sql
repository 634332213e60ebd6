-- Waits for whoever writes into the day, so that it is known how long that took.
LOCK TABLE :"table" PARTITION FOR (:'day') IN EXCLUSIVE MODE
