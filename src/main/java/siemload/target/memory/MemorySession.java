package siemload.target.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import siemload.event.IdeaWriter;
import siemload.query.Search;
import siemload.target.RowReader;
import siemload.target.SearchException;
import siemload.target.SearchException.Kind;
import siemload.target.SearchSession;

/** Answers each search by a scan of the whole table. */
final class MemorySession implements SearchSession {
    private final EventTable table;
    private final Duration timeout;
    private final IdeaWriter writer = new IdeaWriter();
    private volatile boolean cancelled;
    private long deadlineNanos;

    MemorySession(EventTable table, Duration timeout) {
        this.table = table;
        this.timeout = timeout;
    }

    @Override
    public long search(Search search, RowReader rows) {
        start();
        long count = 0;
        List<StoredEvent> found = scan(search);
        for (Iterator<StoredEvent> page = SearchMeaning.page(found, search).iterator(); page.hasNext(); count++) {
            check();
            rows.row(new MemoryRow(page.next(), writer));
        }
        return count;
    }

    @Override
    public long count(Search search) {
        start();
        return scan(search).size();
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public void close() {}

    private void start() {
        cancelled = false;
        deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    private List<StoredEvent> scan(Search search) {
        Predicate<StoredEvent> condition = SearchMeaning.condition(search);
        return table.scan(event -> {
            check();
            return condition.test(event);
        });
    }

    private void check() {
        if (cancelled) {
            throw new SearchException(Kind.CANCELLED, "", "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new SearchException(Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
        }
    }

    private record MemoryRow(StoredEvent stored, IdeaWriter writer) implements RowReader.Row {
        @Override
        public String id() {
            return stored.event().id();
        }

        @Override
        public Instant detectTime() {
            return stored.place().detectTime();
        }

        @Override
        public byte[] idea() {
            return writer.toBytes(stored.event());
        }
    }
}
