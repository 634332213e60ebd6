package siemload.database.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result that stays as it is on the server while it is read in portions: an ordered one by a point in time, which goes on after the last
 * row; any other one by a scroll. Closing it gives it back to the server. Used by one thread.
 */
abstract class ResultPortions implements AutoCloseable {
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
                            : RestCall.post(PATH, Map.of("scroll_id", known, "scroll", kept()), search().timeout()));
            setId(answer.path("_scroll_id").asText());
            return EventSearch.hits(answer);
        }

        @Override
        RestCall release(String opened, Duration timeout) {
            return RestCall.delete(PATH, Map.of("scroll_id", List.of(opened)), timeout);
        }
    }
}
