package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.server.Canceller;
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
            boolean isSmall = search.page() instanceof Page.Sized page && !Portions.make(page.size());
            return isSmall || isSingle(search) ? atOnce(search, rows) : inPortions(search, rows);
        });
    }

    /** Whether the page holds all rows, of which there is one at most. */
    private static boolean isSingle(Search search) {
        return !Hint.concerns(search) && search.page().pageClass() != PageClass.DEEPER;
    }

    private long atOnce(Search search, RowReader rows) {
        List<JsonNode> found = new ArrayList<>(EventSearch.hits(requests.ask(events.asking(first(search)))));
        if (search.page() instanceof Page.Last) {
            Collections.reverse(found);
        }
        found.forEach(hit -> rows.row(events.row(hit)));
        return found.size();
    }

    /** Of the last rows only the one before them is read from the far end, beyond which they are read in their own order. */
    private long inPortions(Search search, RowReader rows) {
        Map<String, Object> body = events.rows(search, search.order());
        if (search.order() == Order.UNSORTED) {
            try (ResultPortions result = ResultPortions.unordered(events, requests, body)) {
                return read(result, Long.MAX_VALUE, rows);
            }
        }
        try (ResultPortions.PointInTime result = ResultPortions.ordered(events, requests, body)) {
            if (search.page() instanceof Page.Numbered page && page.offset() > 0) {
                result.skip(offset(page));
            } else if (search.page() instanceof Page.After page) {
                result.goOnAfter(events.place(page.key()));
            } else if (search.page() instanceof Page.Last page) {
                result.goOnBeforeLast(
                        page.size(), events.rows(search, search.order().reversed()));
            }
            return read(result, search.page() instanceof Page.Sized page ? page.size() : Long.MAX_VALUE, rows);
        }
    }

    private static int offset(Page.Numbered page) {
        return (int) Math.min(page.offset(), Integer.MAX_VALUE - page.size());
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
        return search.page() instanceof Page.Numbered page ? EventSearch.from(sized, offset(page)) : sized;
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
        private final ResultPortions.PointInTime result;

        Cursor(ResultPortions.PointInTime result) {
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

    /**
     * What a session asks, one request after the other. One that is to be stopped loses its connection, upon which the server cancels what it
     * was doing for it. Used by the session's thread, except for {@link #cancel}.
     */
    private static final class StoppableRequests {
        private final OpenSearchClient client;
        private final Duration timeout;
        private final Canceller stop;
        private volatile @Nullable Future<?> running;

        StoppableRequests(OpenSearchClient client, Duration timeout, ScheduledExecutorService watchers) {
            this.client = client;
            this.timeout = timeout;
            this.stop = new Canceller(watchers, timeout, OpenSearchErrors.CANCELLED_CODE);
        }

        /** Does something that can be stopped, and ends at its deadline. */
        <T> T answered(Supplier<T> work) {
            stop.arm(this::abandon);
            stop.scheduleDeadline();
            try {
                return OpenSearchErrors.answering(timeout, work);
            } finally {
                stop.disarm();
                running = null;
            }
        }

        /** Asks, as a part of that. It is checked once it is under way: who stops it from then on, finds it. */
        JsonNode ask(RestCall call) {
            var asked = client.started(call);
            running = asked;
            try {
                stop.check();
            } catch (RuntimeException stopped) {
                asked.cancel(true);
                throw stopped;
            }
            return client.received(asked);
        }

        /** Stops what is under way between two rows. */
        Canceller stop() {
            return stop;
        }

        /** Gives up what is under way; callable from any thread. */
        void cancel() {
            stop.press();
        }

        private void abandon() {
            Future<?> asked = running;
            if (asked != null) {
                asked.cancel(true);
            }
        }
    }

    /**
     * A result that stays as it is on the server while it is read in portions: an ordered one by a point in time, which goes on after the last
     * row; any other one by a scroll. Closing it gives it back to the server. Used by one thread.
     */
    private abstract static class ResultPortions implements AutoCloseable {
        private static final Duration LEAST_KEPT = Duration.ofMinutes(10);
        /** A server that does not answer has had the whole patience of a search already. */
        private static final Duration RELEASE = Duration.ofSeconds(1);

        private final EventSearch search;
        private final StoppableRequests requests;
        private @Nullable String id;

        private ResultPortions(EventSearch search, StoppableRequests requests) {
            this.search = search;
            this.requests = requests;
        }

        /**
         * An ordered one.
         *
         * @param body finds its rows, without their number
         */
        static PointInTime ordered(EventSearch search, StoppableRequests requests, Map<String, Object> body) {
            return new PointInTime(search, requests, body);
        }

        /**
         * One in any order.
         *
         * @param body as for {@link #ordered}
         */
        static ResultPortions unordered(EventSearch search, StoppableRequests requests, Map<String, Object> body) {
            return new Scroll(search, requests, body);
        }

        /**
         * The next rows.
         *
         * @param size how many at most; the same one each time for one that is not ordered
         * @return fewer at the end of the result alone
         */
        abstract List<JsonNode> next(int size);

        /** What gives it back to the server. */
        abstract RestCall release(String opened, Duration timeout);

        /** How long the server keeps it after each portion: longer than anybody thinks between two pages. */
        String kept() {
            Duration kept = search.timeout().compareTo(LEAST_KEPT) > 0 ? search.timeout() : LEAST_KEPT;
            return kept.toSeconds() + "s";
        }

        JsonNode ask(RestCall call) {
            return requests.ask(call);
        }

        EventSearch search() {
            return search;
        }

        @Nullable
        String id() {
            return id;
        }

        /** The server may tell a new one with each portion. */
        void setId(String told) {
            id = told;
        }

        @Override
        public void close() {
            String opened = id;
            if (opened != null) {
                id = null;
                try {
                    var unused = search.client().answer(release(opened, RELEASE));
                } catch (OpenSearchException lost) {
                    // The server gives it up by itself when it has been kept for long enough.
                }
            }
        }

        /** An ordered result. */
        static final class PointInTime extends ResultPortions {
            private static final String PATH = "/_search/point_in_time";

            private final Map<String, Object> body;
            private @Nullable Object place;
            private boolean ended;

            private PointInTime(EventSearch search, StoppableRequests requests, Map<String, Object> body) {
                super(search, requests);
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
                Map<String, Object> last = EventSearch.from(EventSearch.sized(body, 1), offset - 1);
                List<JsonNode> passed = hits(EventSearch.with(last, "_source", false));
                ended = passed.isEmpty();
                passed.forEach(hit -> goOnAfter(hit.path("sort")));
            }

            /**
             * Goes on with the last rows, of which there are so many at most.
             *
             * @param backwards finds the same rows from the far end
             */
            void goOnBeforeLast(int rows, Map<String, Object> backwards) {
                Map<String, Object> before = EventSearch.from(EventSearch.sized(backwards, 1), rows);
                hits(EventSearch.with(before, "_source", false)).forEach(hit -> goOnAfter(hit.path("sort")));
            }

            @Override
            List<JsonNode> next(int size) {
                if (ended) {
                    return List.of();
                }
                Object reached = place;
                Map<String, Object> sized = EventSearch.sized(body, size);
                List<JsonNode> found = hits(reached == null ? sized : EventSearch.after(sized, reached));
                if (!found.isEmpty()) {
                    goOnAfter(found.get(found.size() - 1).path("sort"));
                }
                return found;
            }

            private List<JsonNode> hits(Map<String, Object> asked) {
                Map<String, Object> point = Map.of("id", opened(), "keep_alive", kept());
                JsonNode answer = ask(search().askingPointInTime(EventSearch.with(asked, "pit", point)));
                setId(answer.path("pit_id").asText(opened()));
                return EventSearch.hits(answer);
            }

            private String opened() {
                String known = id();
                if (known == null) {
                    String path = "/" + search().index() + PATH + "?keep_alive=" + kept();
                    known = ask(RestCall.post(path, search().timeout()))
                            .path("pit_id")
                            .asText();
                    setId(known);
                }
                return known;
            }

            @Override
            RestCall release(String opened, Duration timeout) {
                return RestCall.delete(PATH, Map.of("pit_id", List.of(opened)), timeout);
            }
        }

        /** A result in any order. */
        private static final class Scroll extends ResultPortions {
            private static final String PATH = "/_search/scroll";

            private final Map<String, Object> body;

            private Scroll(EventSearch search, StoppableRequests requests, Map<String, Object> body) {
                super(search, requests);
                this.body = EventSearch.with(body, "sort", List.of("_doc"));
            }

            @Override
            List<JsonNode> next(int size) {
                String known = id();
                JsonNode answer = ask(
                        known == null
                                ? search().scrolling(EventSearch.sized(body, size), kept())
                                : RestCall.post(
                                        PATH, Map.of("scroll_id", known, "scroll", kept()), search().timeout()));
                setId(answer.path("_scroll_id").asText());
                return EventSearch.hits(answer);
            }

            @Override
            RestCall release(String opened, Duration timeout) {
                return RestCall.delete(PATH, Map.of("scroll_id", List.of(opened)), timeout);
            }
        }
    }

    /**
     * Reduces what {@code profile} says to what can be compared: the queries that Lucene carried out in each shard. A field whose values are
     * read document by document ({@code doc values}) counts as reading all of the index, since no index of that field narrows it.
     *
     * @see <a href="https://docs.opensearch.org/latest/api-reference/search-apis/profile/">Profile</a>
     */
    static final class ProfiledPlan {
        private static final String ID = "_id";
        private static final String NOTHING = "MatchNoDocsQuery";
        private static final Pattern FIELD = Pattern.compile("([A-Za-z_][\\w.-]*):");
        /** Reads values of documents; not {@code IndexSort...}, which looks by the order of the index, nor what chooses between both. */
        private static final Pattern READING_ALL =
                Pattern.compile("(?!IndexSort|IndexOrDocValues).*DocValues.*|MatchAllDocsQuery|FieldExistsQuery");

        private final String index;
        private final String timeField;
        private final List<Access> accesses = new ArrayList<>();

        private ProfiledPlan(String index, String timeField) {
            this.index = index;
            this.timeField = timeField;
        }

        /**
         * Of the {@code profile} of an answer.
         *
         * @param sorted whether the rows had to be sorted
         */
        static Plan of(JsonNode profile, String index, String timeField, boolean sorted) {
            ProfiledPlan plan = new ProfiledPlan(index, timeField);
            for (JsonNode shard : profile.path("shards")) {
                for (JsonNode search : shard.path("searches")) {
                    search.path("query").forEach(plan::visit);
                }
            }
            return new Plan(Json.indented(profile), Plan.Format.JSON, plan.accesses, sorted, false, Optional.empty());
        }

        private void visit(JsonNode query) {
            JsonNode inner = query.path("children");
            if (!inner.isEmpty()) {
                inner.forEach(this::visit);
                return;
            }
            String type = query.path("type").asText();
            if (READING_ALL.matcher(type).matches()) {
                accesses.add(new Access(Kind.TABLE, index));
                return;
            }
            Matcher field = FIELD.matcher(query.path("description").asText());
            if (field.find()) {
                String name = field.group(1);
                accesses.add(new Access(kind(name), name));
            } else if (type.equals(NOTHING)) {
                // The terms of a segment tell that there are none.
                accesses.add(new Access(Kind.FIELD_INDEX, type));
            }
        }

        private Kind kind(String field) {
            if (field.equals(ID)) {
                return Kind.ID_INDEX;
            }
            return field.equals(timeField) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
        }
    }
}
