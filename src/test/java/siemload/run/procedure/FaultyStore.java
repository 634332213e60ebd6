package siemload.run.procedure;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import siemload.database.EventSink;
import siemload.database.Maintenance;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A store with a fault.
 *
 * @param beforeLoading done whenever somebody wants to load; may throw
 * @param miscounted by how many each count is wrong
 */
record FaultyStore(Store right, Runnable beforeLoading, long miscounted) implements Store {

    @Override
    public SearchSession openSession() {
        return new MiscountingSession(right.openSession(), miscounted);
    }

    @Override
    public EventSink openSink() {
        return right.openSink();
    }

    @Override
    public long events() {
        return right.events();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return right.presenceOf(ids);
    }

    @Override
    public Optional<Maintenance> maintenance() {
        beforeLoading.run();
        return right.maintenance();
    }

    @Override
    public void close() {
        right.close();
    }

    private record MiscountingSession(SearchSession right, long miscounted) implements SearchSession {
        @Override
        public long search(Search search, RowReader rows) {
            return right.search(search, rows);
        }

        @Override
        public long count(Search search) {
            return right.count(search) + miscounted;
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            return right.summarize(search, summary);
        }

        @Override
        public Plan explain(Search search) {
            return right.explain(search);
        }

        @Override
        public Plan explain(Search search, Summary summary) {
            return right.explain(search, summary);
        }

        @Override
        public void cancel() {
            right.cancel();
        }

        @Override
        public void close() {
            right.close();
        }
    }
}
