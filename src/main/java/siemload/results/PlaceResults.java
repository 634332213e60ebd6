package siemload.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of places apart. A list is empty where the run had nothing of its kind, and in results of versions that did not know it,
 * which lack its key. Immutable.
 *
 * @param hosts this host, and others that were watched, as sysstat shows them
 * @param injectors that made the load together; none where one process made it
 * @param replicas that answered the searches; none where the store itself did
 */
public record PlaceResults(
        @Nullable List<HostFigures> hosts,
        @Nullable List<InjectorResult> injectors,
        @Nullable List<ReplicaResult> replicas) {
    /** Of a run by one process on one server. */
    public static PlaceResults ofHosts(List<HostFigures> hosts) {
        return new PlaceResults(hosts, null, null);
    }

    public PlaceResults {
        hosts = orNone(hosts);
        injectors = orNone(injectors);
        replicas = orNone(replicas);
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    @Override
    public List<HostFigures> hosts() {
        return orNone(hosts);
    }

    @Override
    public List<InjectorResult> injectors() {
        return orNone(injectors);
    }

    @Override
    public List<ReplicaResult> replicas() {
        return orNone(replicas);
    }
}
