package siemload.run;

import siemload.database.ServerAddress;

/**
 * What an injector is to join.
 *
 * @param plan of the run, with the shard of this process
 * @param server that is running
 * @param store the name by which the run's store is joined
 * @param injector its number, from 1
 */
public record JoinRequest(RunPlan plan, ServerAddress server, String store, int injector, InjectorLink link) {}
