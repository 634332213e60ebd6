package siemload.database.opensearch;

import static siemload.database.opensearch.IndexSearches.sized;
import static siemload.database.opensearch.IndexSearches.with;
import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.Canceller;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches, one at a time. A request that is to be stopped loses its connection, upon which the server cancels what it was doing for
 * it.
 */
final class OpenSearchSession implements SearchSession {
    /** How much longer than the search timeout a silent network is waited for. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    private static final byte[] NOTHING = {};
    private static final String SCROLL = "/_search/scroll";
    private static final Duration LEAST_KEPT = Duration.ofMinutes(10);
    /** A server that does not answer has had the whole patience of a search already. */
    private static final Duration RELEASE = Duration.ofSeconds(1);

    private final OpenSearchClient client;
    private final String index;
    private final IndexSearches searches;
    private final Duration timeout;
    private final Canceller stop;
    private final PageCursor.OfSession cursor = new PageCursor.OfSession();
    private volatile @Nullable Future<?> running;

    /**
     * Over a client that waits {@link #SILENCE} longer than a search may take.
     *
     * @param timeout of a search
     */
    OpenSearchSession(
            OpenSearchClient client,
            String index,
            IndexSearches searches,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.client = client;
        this.index = index;
        this.searches = searches;
        this.timeout = timeout;
        this.stop = new Canceller(watchers, timeout, OpenSearchErrors.CANCELLED_CODE);
    }

    /** Where searches of an index are sent. Half an answer is none, and the server ends a search that nobody waits for any more. */
    static String path(String index, OpenSearchClient client) {
        return (index.isEmpty() ? "" : "/" + index)
                + "/_search?allow_partial_search_results=false&cancel_after_time_interval="
                + client.timeout().toMillis() + "ms";
    }

    @Override
    public long search(Search search, RowReader rows) {
        return run(() -> {
            boolean isSmall = search.page() instanceof Page.Sized page && !Portions.make(page.size());
            return isSmall || Portions.isSingle(search) ? atOnce(search, rows) : inPortions(search, rows);
        });
    }

    private long atOnce(Search search, RowReader rows) {
        List<JsonNode> found = new ArrayList<>(IndexSearches.hits(ask(searches.first(search))));
        if (search.page() instanceof Page.Last) {
            Collections.reverse(found);
        }
        found.forEach(hit -> rows.row(searches.row(hit)));
        return found.size();
    }

    /** Of the last rows only the one before them is read from the far end, beyond which they are read in their own order. */
    private long inPortions(Search search, RowReader rows) {
        Map<String, Object> body = searches.rows(search, search.order());
        if (search.order() == Order.UNSORTED) {
            return scrolled(body, rows);
        }
        try (PointInTime result = new PointInTime(body)) {
            if (search.page() instanceof Page.Numbered page && page.offset() > 0) {
                result.skip(IndexSearches.offset(page));
            } else if (search.page() instanceof Page.After page) {
                result.goOnAfter(searches.place(page.key()));
            } else if (search.page() instanceof Page.Last page) {
                result.goOnBeforeLast(
                        page.size(), searches.rows(search, search.order().reversed()));
            }
            return read(result, search.page() instanceof Page.Sized page ? page.size() : Long.MAX_VALUE, rows);
        }
    }

    /** A result in any order, by a scroll, which stays as it is and counts in any case. */
    private long scrolled(Map<String, Object> body, RowReader rows) {
        Map<String, Object> asked = new LinkedHashMap<>(with(sized(body, Portions.ROWS), "sort", List.of("_doc")));
        asked.remove(IndexSearches.TOTAL);
        RowReader checked = stop.checked(rows);
        JsonNode answer = ask("POST", path(index, client) + "&scroll=" + kept(), OpenSearchClient.bytes(asked));
        String id = answer.path("_scroll_id").asText();
        long count = 0;
        try {
            while (true) {
                List<JsonNode> found = IndexSearches.hits(answer);
                found.forEach(hit -> checked.row(searches.row(hit)));
                count += found.size();
                if (found.size() < Portions.ROWS) {
                    return count;
                }
                Map<String, Object> more = Map.of("scroll_id", id, "scroll", kept());
                answer = ask("POST", SCROLL, OpenSearchClient.bytes(more));
                id = answer.path("_scroll_id").asText();
            }
        } finally {
            giveBack(SCROLL, "scroll_id", id);
        }
    }

    /** How long the server keeps a result after each portion: longer than anybody thinks between two pages. */
    private String kept() {
        Duration kept = client.timeout().compareTo(LEAST_KEPT) > 0 ? client.timeout() : LEAST_KEPT;
        return kept.toSeconds() + "s";
    }

    private void giveBack(String path, String key, String id) {
        try {
            var unused = client.with(RELEASE).ask("DELETE", path, Map.of(key, List.of(id)));
        } catch (OpenSearchException lost) {
            // The server gives it up by itself when it has been kept for long enough.
        }
    }

    private long read(PointInTime result, long most, RowReader rows) {
        RowReader checked = stop.checked(rows);
        long count = 0;
        while (count < most) {
            int size = (int) Math.min(Portions.ROWS, most - count);
            List<JsonNode> found = result.next(size);
            found.forEach(hit -> checked.row(searches.row(hit)));
            count += found.size();
            if (found.size() < size) {
                break;
            }
        }
        return count;
    }

    @Override
    public long count(Search search) {
        Map<String, Object> body = searches.counting(search);
        return run(() -> IndexSearches.total(ask(body)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Map<String, Object> body = searches.summing(search, summary);
        return run(() -> searches.lines(search, summary, ask(body)));
    }

    @Override
    public ResultCursor open(Search search) {
        return cursor.open(() -> new Cursor(new PointInTime(searches.rows(search, search.order()))));
    }

    @Override
    public Plan explain(Search search) {
        Map<String, Object> body = searches.first(search);
        return explained(
                body,
                search.order() != Order.UNSORTED && body.containsKey("sort") && !searches.isSortedBy(search.order()));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explained(searches.summing(search, summary), false);
    }

    private Plan explained(Map<String, Object> body, boolean sorted) {
        return run(() -> Profile.plan(
                IndexSearches.whole(ask(with(body, "profile", true))).path("profile"),
                index,
                searches.layout().timeField(),
                sorted));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return statementOfCursors();
    }

    @Override
    public Optional<String> statementOfCursors() {
        return Optional.of(OpenSearchCounters.SEARCHES);
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        cursor.close();
    }

    private <T> T run(Supplier<T> answer) {
        cursor.close();
        return answered(answer);
    }

    /** Does something that can be stopped, and ends at its deadline. */
    private <T> T answered(Supplier<T> work) {
        stop.arm(this::abandon);
        stop.scheduleDeadline();
        try {
            return ERRORS.answering(timeout, work);
        } finally {
            stop.disarm();
            running = null;
        }
    }

    private void abandon() {
        Future<?> asked = running;
        if (asked != null) {
            asked.cancel(true);
        }
    }

    private JsonNode ask(Map<String, ?> body) {
        return ask("POST", path(index, client), OpenSearchClient.bytes(body));
    }

    /** Asks, as a part of that. It is checked once it is under way: who stops it from then on, finds it. */
    private JsonNode ask(String method, String path, byte[] body) {
        var asked = client.started(method, path, body);
        running = asked;
        try {
            stop.check();
            return client.received(asked);
        } catch (CancellationException stopped) {
            stop.check();
            throw stopped;
        } finally {
            // Harmless where the answer is there.
            asked.cancel(true);
        }
    }

    /** A point in time. It is opened by the first page. */
    private final class Cursor extends PageCursor {
        private final PointInTime result;

        Cursor(PointInTime result) {
            this.result = result;
        }

        @Override
        protected long page(int size, RowReader rows) {
            return answered(() -> {
                if (Portions.make(size)) {
                    return read(result, size, rows);
                }
                List<JsonNode> found = result.next(size);
                found.forEach(hit -> rows.row(searches.row(hit)));
                return (long) found.size();
            });
        }

        @Override
        protected void release() {
            result.close();
        }
    }

    /** An ordered result, which stays as it is while it is read in portions, each of which goes on after the last row. */
    private final class PointInTime implements AutoCloseable {
        private static final String PATH = "/_search/point_in_time";

        private final Map<String, Object> body;
        /** The server may tell a new one with each portion; empty as long as it is not opened. */
        private String id = "";

        private @Nullable Object place;
        private boolean ended;

        /** @param body finds its rows, without their number */
        PointInTime(Map<String, Object> body) {
            this.body = body;
        }

        /**
         * Goes on beyond a row.
         *
         * @param row the values that it was sorted by
         */
        void goOnAfter(Object row) {
            place = row;
        }

        /**
         * Passes over the first rows.
         *
         * @param offset how many, 1 or more
         */
        void skip(int offset) {
            List<JsonNode> passed = hits(with(IndexSearches.from(sized(body, 1), offset - 1), "_source", false));
            ended = passed.isEmpty();
            passed.forEach(hit -> goOnAfter(hit.path("sort")));
        }

        /**
         * Goes on with the last rows, of which there are so many at most.
         *
         * @param backwards finds the same rows from the far end
         */
        void goOnBeforeLast(int rows, Map<String, Object> backwards) {
            hits(with(IndexSearches.from(sized(backwards, 1), rows), "_source", false))
                    .forEach(hit -> goOnAfter(hit.path("sort")));
        }

        /** The next rows, so many at most; fewer at the end of the result alone. */
        List<JsonNode> next(int size) {
            if (ended) {
                return List.of();
            }
            Object reached = place;
            Map<String, Object> sized = sized(body, size);
            List<JsonNode> found = hits(reached == null ? sized : with(sized, "search_after", reached));
            if (!found.isEmpty()) {
                goOnAfter(found.get(found.size() - 1).path("sort"));
            }
            return found;
        }

        private List<JsonNode> hits(Map<String, Object> asked) {
            if (id.isEmpty()) {
                String path = "/" + index + PATH + "?keep_alive=" + kept();
                id = ask("POST", path, NOTHING).path("pit_id").asText();
            }
            Map<String, Object> point = Map.of("id", id, "keep_alive", kept());
            JsonNode answer = ask("POST", path("", client), OpenSearchClient.bytes(with(asked, "pit", point)));
            id = answer.path("pit_id").asText(id);
            return IndexSearches.hits(answer);
        }

        @Override
        public void close() {
            if (!id.isEmpty()) {
                giveBack(PATH, "pit_id", id);
                id = "";
            }
        }
    }
}
