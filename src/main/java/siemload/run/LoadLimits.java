package siemload.run;

/**
 * What a run was given to work with.
 *
 * @param workers connections that search
 * @param workersEnough whether they are as many as the users take who search at once, or more
 * @param databaseCpus how many CPUs the database may use; 0 where nothing but its machine limits it
 * @param inProcess whether there is no server: what takes time takes the load generator's own
 */
record LoadLimits(int workers, boolean workersEnough, double databaseCpus, boolean inProcess) {}
