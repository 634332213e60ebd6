package siemload.results;

import java.util.List;
import siemload.results.HostActivity.HostFigures;

/**
 * What is told of places apart. A list is empty where the run had nothing of its kind. Immutable.
 *
 * @param hosts this host, and others that were watched, as sysstat shows them
 * @param injectorsStarted with how many the load began; 0 where one process made it
 * @param injectors that made the load together, those of them that told what they did; none where one process made it
 * @param replicas that answered the searches; none where the store itself did
 */
public record PlaceResults(
        List<HostFigures> hosts, int injectorsStarted, List<InjectorResult> injectors, List<ReplicaResult> replicas) {
    /** Of a run by one process on one server. */
    public static PlaceResults ofHosts(List<HostFigures> hosts) {
        return new PlaceResults(hosts, 0, List.of(), List.of());
    }

    public PlaceResults {
        hosts = List.copyOf(hosts);
        injectors = List.copyOf(injectors);
        replicas = List.copyOf(replicas);
    }
}
