package siemload.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import siemload.query.Paging;
import siemload.results.PagingTruth;

/** Adds up the walks of a probe analyst through pages, by way of paging. Thread-safe. */
public final class PagingRecorder {
    private final Map<Paging, PagingTruth> walks = new EnumMap<>(Paging.class);

    /** Adds walks in one way of paging. */
    public synchronized void add(Paging paging, PagingTruth more) {
        walks.merge(paging, more, PagingTruth::plus);
    }

    /** What run.json holds: one entry for each way that was walked. */
    public synchronized List<PagingTruth> result() {
        return List.copyOf(walks.values());
    }
}
