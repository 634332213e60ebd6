package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.opensearch.ResultPortions.PointInTime;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.database.server.SessionCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches, one at a time. */
final class OpenSearchSession implements SearchSession {
    /** How much longer than the search timeout a silent network is waited for. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    private final EventSearch events;
    private final StoppableRequests requests;
    private final SessionCursor cursor = new SessionCursor();

    /** @param timeout of a search */
    OpenSearchSession(EventSearch events, Duration timeout, ScheduledExecutorService watchers) {
        this.events = events;
        this.requests = new StoppableRequests(events.client(), timeout, watchers);
    }

    /**
     * What sessions ask an index.
     *
     * @param timeout of a search
     */
    static EventSearch searching(OpenSearchClient client, String index, IndexVariant variant, Duration timeout) {
        return new EventSearch(client, index, variant, timeout.plus(SILENCE));
    }

    @Override
    public long search(Search search, RowReader rows) {
        return run(() -> {
            if (isSingle(search)) {
                return read(EventSearch.sized(events.rows(search, Order.UNSORTED), 1), rows);
            } else if (search.page() instanceof Page.Numbered page) {
                return numbered(search, page, rows);
            } else if (search.page() instanceof Page.After page) {
                return after(search, page, rows);
            } else if (search.page() instanceof Page.Last page) {
                return last(search, page.size(), rows);
            }
            return whole(search, rows);
        });
    }

    /** Whether the page holds all rows, of which there is one at most. */
    private static boolean isSingle(Search search) {
        return !Hint.concerns(search) && search.page().pageClass() != PageClass.DEEPER;
    }

    private long numbered(Search search, Page.Numbered page, RowReader rows) {
        Map<String, Object> body = events.rows(search, search.order());
        int offset = (int) Math.min(page.offset(), Integer.MAX_VALUE - page.size());
        if (!Portions.make(page.size())) {
            return read(EventSearch.from(EventSearch.sized(body, page.size()), offset), rows);
        }
        try (PointInTime result = ResultPortions.ordered(events, requests, body)) {
            if (offset > 0) {
                result.skip(offset);
            }
            return read(result, page.size(), rows);
        }
    }

    private long after(Search search, Page.After page, RowReader rows) {
        Map<String, Object> body = events.rows(search, search.order());
        List<Object> place = events.place(page.key());
        if (!Portions.make(page.size())) {
            return read(EventSearch.after(EventSearch.sized(body, page.size()), place), rows);
        }
        try (PointInTime result = ResultPortions.ordered(events, requests, body)) {
            result.goOnAfter(place);
            return read(result, page.size(), rows);
        }
    }

    /** The rows are read from the far end. Of a large page only the row before it is, beyond which it is read in its own order. */
    private long last(Search search, int size, RowReader rows) {
        Map<String, Object> backwards = events.rows(search, search.order().reversed());
        if (!Portions.make(size)) {
            List<JsonNode> found = EventSearch.hits(requests.ask(events.asking(EventSearch.sized(backwards, size))));
            for (int i = found.size() - 1; i >= 0; i--) {
                rows.row(events.row(found.get(i)));
            }
            return found.size();
        }
        try (PointInTime result = ResultPortions.ordered(events, requests, events.rows(search, search.order()))) {
            result.goOnBeforeLast(size, backwards);
            return read(result, size, rows);
        }
    }

    private long whole(Search search, RowReader rows) {
        Map<String, Object> body = events.rows(search, search.order());
        try (ResultPortions result = search.order() == Order.UNSORTED
                ? ResultPortions.unordered(events, requests, body)
                : ResultPortions.ordered(events, requests, body)) {
            return read(result, Long.MAX_VALUE, rows);
        }
    }

    private long read(Map<String, Object> body, RowReader rows) {
        List<JsonNode> found = EventSearch.hits(requests.ask(events.asking(body)));
        found.forEach(hit -> rows.row(events.row(hit)));
        return found.size();
    }

    private long read(ResultPortions result, long most, RowReader rows) {
        RowReader checked = requests.stop().checked(rows);
        long count = 0;
        while (count < most) {
            int size = (int) Math.min(Portions.ROWS, most - count);
            List<JsonNode> found = result.next(size);
            found.forEach(hit -> checked.row(events.row(hit)));
            count += found.size();
            if (found.size() < size) {
                break;
            }
        }
        return count;
    }

    @Override
    public long count(Search search) {
        Map<String, Object> body = events.counting(search);
        return run(() -> EventSearch.total(requests.ask(events.asking(body))));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        SummaryRequest asked = SummaryRequest.of(search, summary, events.variant());
        return run(() -> asked.lines(requests.ask(events.asking(asked.body()))));
    }

    @Override
    public ResultCursor open(Search search) {
        return cursor.open(
                () -> new Cursor(ResultPortions.ordered(events, requests, events.rows(search, search.order()))));
    }

    @Override
    public Plan explain(Search search) {
        Map<String, Object> body = first(search);
        return explained(
                body,
                search.order() != Order.UNSORTED
                        && body.containsKey("sort")
                        && !events.variant().isSortedBy(search.order()));
    }

    /** What is asked first for these rows. */
    private Map<String, Object> first(Search search) {
        if (isSingle(search)) {
            return EventSearch.sized(events.rows(search, Order.UNSORTED), 1);
        }
        boolean backwards = search.page() instanceof Page.Last;
        Map<String, Object> body =
                events.rows(search, backwards ? search.order().reversed() : search.order());
        int size = search.page().mostRows().orElse(Portions.ROWS);
        Map<String, Object> sized = EventSearch.sized(body, Portions.of(size));
        if (search.page() instanceof Page.After page) {
            return EventSearch.after(sized, events.place(page.key()));
        }
        return search.page() instanceof Page.Numbered page
                ? EventSearch.from(sized, (int) Math.min(page.offset(), Integer.MAX_VALUE - size))
                : sized;
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explained(SummaryRequest.of(search, summary, events.variant()).body(), false);
    }

    private Plan explained(Map<String, Object> body, boolean sorted) {
        return run(() -> {
            JsonNode answer = requests.ask(events.asking(EventSearch.with(body, "profile", true)));
            return ProfiledPlan.of(
                    EventSearch.whole(answer).path("profile"),
                    events.index(),
                    events.variant().layout().timeField(),
                    sorted);
        });
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return Optional.of(OpenSearchCounters.SEARCHES);
    }

    @Override
    public Optional<String> statementOfCursors() {
        return Optional.of(OpenSearchCounters.SEARCHES);
    }

    @Override
    public void cancel() {
        requests.cancel();
    }

    @Override
    public void close() {
        cursor.close();
    }

    private <T> T run(Supplier<T> answer) {
        cursor.close();
        return requests.answered(answer);
    }

    /** A point in time. It is opened by the first page. */
    private final class Cursor extends PageCursor {
        private final PointInTime result;

        Cursor(PointInTime result) {
            this.result = result;
        }

        @Override
        protected long page(int size, RowReader rows) {
            return requests.answered(() -> {
                if (Portions.make(size)) {
                    return read(result, size, rows);
                }
                List<JsonNode> found = result.next(size);
                found.forEach(hit -> rows.row(events.row(hit)));
                return (long) found.size();
            });
        }

        @Override
        protected void release() {
            result.close();
        }
    }
}
