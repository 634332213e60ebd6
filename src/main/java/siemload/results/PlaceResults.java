package siemload.results;

import java.util.List;

/**
 * What is told of places apart. A list is empty where the run had nothing of its kind, and in results of versions that did not know it,
 * which lack its key. Immutable.
 *
 * @param hosts this host, and others that were watched, as sysstat shows them
 * @param injectors that made the load together; none where one process made it
 * @param replicas that answered the searches; none where the store itself did
 */
public record PlaceResults(List<HostFigures> hosts, List<InjectorResult> injectors, List<ReplicaResult> replicas) {
    /** Of a run by one process on one server. */
    public static PlaceResults ofHosts(List<HostFigures> hosts) {
        return new PlaceResults(hosts, List.of(), List.of());
    }

    public PlaceResults {
        hosts = MissingKey.asNone(hosts);
        injectors = MissingKey.asNone(injectors);
        replicas = MissingKey.asNone(replicas);
    }
}
