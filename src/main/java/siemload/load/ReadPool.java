package siemload.load;

import java.util.Optional;
import siemload.measure.monitor.ReplicaWatch;

/**
 * Those who search in one place: the store of a run, or a replica of it. Thread-safe.
 *
 * @param workers with their connections there
 * @param cursors that users keep there from page to page
 * @param watch looks how far the replica is; empty for the store itself
 */
record ReadPool(SearchWorkers workers, UserCursors cursors, Optional<ReplicaWatch> watch) implements AutoCloseable {

    /** Ends what the server is asked now; nobody goes on. */
    void cancelAll() {
        workers.cancelAll();
        cursors.close();
    }

    @Override
    public void close() {
        workers.close();
        watch.ifPresent(ReplicaWatch::close);
    }
}
