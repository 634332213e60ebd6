package siemload.database.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchMeaning;
import siemload.query.Summary;

/** Answers each search by a scan of the whole table. */
final class MemorySession implements SearchSession {
    private final EventTable table;
    private final MemoryTrends trends;
    private final Duration timeout;
    private final IdeaWriter writer = new IdeaWriter();
    private volatile boolean cancelled;
    private long deadlineNanos;

    MemorySession(EventTable table, MemoryTrends trends, Duration timeout) {
        this.table = table;
        this.trends = trends;
        this.timeout = timeout;
    }

    @Override
    public long search(Search search, RowReader rows) {
        start();
        long count = 0;
        for (Iterator<MemoryEvent> page = scan(search).page().iterator(); page.hasNext(); count++) {
            check();
            rows.row(new MemoryRow(page.next(), writer));
        }
        return count;
    }

    @Override
    public long count(Search search) {
        start();
        return scan(search).found().size();
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        start();
        return scan(search).summary(summary);
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        trends.put(trend, summarize(search, summary));
    }

    @Override
    public ResultCursor open(Search search) {
        start();
        Iterator<MemoryEvent> rows = scan(search.with(new Page.Whole())).page().iterator();
        return new MemoryCursor(rows, row -> new MemoryRow(row, writer));
    }

    @Override
    public Plan explain(Search search) {
        return scanOfAll(search.order() != Order.UNSORTED);
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return scanOfAll(true);
    }

    private static Plan scanOfAll(boolean sorted) {
        List<Plan.Access> scan = List.of(new Plan.Access(Plan.Access.Kind.TABLE, "events"));
        return new Plan("every event is looked at", Plan.Format.TEXT, scan, sorted, false, Optional.empty());
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

    private Result scan(Search search) {
        Predicate<SecurityEvent> condition = SearchMeaning.condition(search);
        return new Result(search, table.scan(stored -> {
            check();
            return condition.test(stored.event());
        }));
    }

    private void check() {
        if (cancelled) {
            throw new SearchException(Kind.CANCELLED, "", "the search was cancelled");
        }
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw new SearchException(Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
        }
    }

    private record MemoryCursor(Iterator<MemoryEvent> stored, Function<MemoryEvent, RowReader.Row> row)
            implements ResultCursor {
        @Override
        public long next(int size, RowReader rows) {
            long count = 0;
            for (; count < size && stored.hasNext(); count++) {
                rows.row(row.apply(stored.next()));
            }
            return count;
        }

        @Override
        public void close() {}
    }

    private record MemoryRow(MemoryEvent stored, IdeaWriter writer) implements RowReader.Row {
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
