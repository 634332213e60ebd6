package siemload.measure.monitor;

import java.util.List;
import siemload.measure.RunClock;
import siemload.results.HostFigures;

/** Watches the other hosts of a run, each by a thread of its own, so that one that does not answer keeps none waiting. Thread-safe. */
final class OtherHosts implements AutoCloseable {
    private final List<OtherHostWatch> watches;
    private final List<EverySecond> threads;

    OtherHosts(List<OtherHost> hosts, RunClock clock, HostTables tables) {
        watches = hosts.stream()
                .map(host -> new OtherHostWatch(host, clock, tables))
                .toList();
        threads = watches.stream()
                .map(watch -> new EverySecond("siemload-other-host", clock, watch::tick))
                .toList();
    }

    void start() {
        threads.forEach(EverySecond::start);
    }

    /** What each did in the measured phase. */
    List<HostFigures> figures() {
        return watches.stream().map(OtherHostWatch::figures).toList();
    }

    /** What could not be seen, and why. */
    List<String> notes() {
        return watches.stream().flatMap(watch -> watch.notes().stream()).toList();
    }

    /** Stops; the first call waits for answers that are awaited. */
    @Override
    public void close() {
        threads.forEach(EverySecond::close);
    }
}
