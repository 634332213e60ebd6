package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchClient.OpenSearchErrors.ERRORS;
import static siemload.database.opensearch.OpenSearchSearches.sized;
import static siemload.database.opensearch.OpenSearchSearches.with;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.opensearch.OpenSearchClient.OpenSearchErrors;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.DocumentSession;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches, one at a time. A request that is to be stopped loses its connection, upon which the server cancels what it was doing for
 * it.
 */
final class OpenSearchSession extends DocumentSession<OpenSearchException> {
    private static final String SCROLL = "/_search/scroll";
    private static final String POINT_IN_TIME = "/_search/point_in_time";
    private static final Duration LEAST_KEPT = Duration.ofMinutes(10);
    /** A server that does not answer has had the whole patience of a search already. */
    private static final Duration RELEASE = Duration.ofSeconds(1);

    private final OpenSearchClient client;
    private final String index;
    private final OpenSearchSearches searches;
    private volatile CompletableFuture<HttpResponse<byte[]>> running = new CompletableFuture<>();

    /**
     * Of one run.
     *
     * @param client waits a bit longer than a search may take
     */
    OpenSearchSession(
            OpenSearchClient client,
            String index,
            OpenSearchSearches searches,
            Duration timeout,
            ScheduledExecutorService watchers) {
        super(ERRORS, timeout, watchers, OpenSearchErrors.CANCELLED_CODE, "search");
        this.client = client;
        this.index = index;
        this.searches = searches;
    }

    /** Where searches of an index are sent. Half an answer is none, and the server ends a search that nobody waits for any more. */
    static String path(String index, OpenSearchClient client) {
        return (index.isEmpty() ? "" : "/" + index)
                + "/_search?allow_partial_search_results=false&cancel_after_time_interval="
                + client.timeout().toMillis() + "ms";
    }

    @Override
    public long search(Search search, RowReader rows) {
        boolean isSmall = search.page() instanceof Page.Sized page && !Portions.make(page.size());
        return answer(() -> isSmall || Portions.isSingle(search) ? atOnce(search, rows) : inPortions(search, rows));
    }

    private long atOnce(Search search, RowReader rows) {
        List<JsonNode> found = new ArrayList<>(OpenSearchSearches.hits(ask(searches.first(search))));
        if (search.page() instanceof Page.Last) {
            Collections.reverse(found);
        }
        found.forEach(hit -> rows.row(searches.row(hit)));
        return found.size();
    }

    /** Of the last rows only the one before them is read from the far end, beyond which they are read in their own order. */
    private long inPortions(Search search, RowReader rows) {
        boolean isLast = search.page() instanceof Page.Last;
        Map<String, Object> body = isLast ? searches.rows(search, search.order()) : searches.first(search);
        try (Result result = new Result(body, search.order() == Order.UNSORTED)) {
            if (search.page() instanceof Page.Last page) {
                Map<String, Object> backwards =
                        searches.rows(search, search.order().reversed());
                result.hits(with(with(sized(backwards, 1), "from", page.size()), "_source", false));
            }
            return result.read(search.page().mostRows().orElse(Integer.MAX_VALUE), rows);
        }
    }

    @Override
    public long count(Search search) {
        Map<String, Object> body = searches.counting(search);
        return answer(() -> OpenSearchSearches.total(ask(body)));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        Map<String, Object> body = searches.summed(search, summary);
        return answer(() -> searches.lines(search, summary, ask(body)));
    }

    @Override
    protected ResultCursor result(Search search) {
        return new Result(searches.rows(search, search.order()), false);
    }

    @Override
    public Plan explain(Search search) {
        Map<String, Object> body = search.summary()
                .map(summary -> searches.summed(search, summary))
                .orElseGet(() -> searches.first(search));
        boolean sorted = search.summary().isEmpty()
                && search.order() != Order.UNSORTED
                && body.containsKey("sort")
                && !searches.isSortedBy(search.order());
        JsonNode profile = answer(() -> OpenSearchSearches.whole(ask(with(body, "profile", true))))
                .path("profile");
        return ProfiledPlan.of(profile, index, searches.timeField(), sorted);
    }

    /** The server knows no deadline of a search as a whole. */
    private <T> T answer(Supplier<T> answer) {
        return run(() -> {
            stop.scheduleDeadline();
            return answer.get();
        });
    }

    @Override
    protected Runnable stopping() {
        return () -> running.cancel(true);
    }

    private JsonNode ask(Map<String, ?> body) {
        return ask(path(index, client), OpenSearchClient.bytes(body));
    }

    /** Asks, as a part of a search. It is checked once it is under way: who stops it from then on, finds it. */
    private JsonNode ask(String path, byte[] body) {
        var asked = client.started("POST", path, body);
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

    /** How long the server keeps a result after each portion: longer than anybody thinks between two pages. */
    private String kept() {
        Duration kept = client.timeout().compareTo(LEAST_KEPT) > 0 ? client.timeout() : LEAST_KEPT;
        return kept.toSeconds() + "s";
    }

    /**
     * A result that stays as it is while it is read in portions. An ordered one is a point in time, in which each portion goes on after the
     * last row; one in any order is a scroll, which counts in any case. It is opened by its first portion.
     */
    private final class Result implements ResultCursor {
        private final Map<String, Object> body;
        private final boolean scrolls;
        /** The server may tell a new one with each portion; empty as long as it is not opened. */
        private String id = "";
        /** What the last row was sorted by; empty before the first one. */
        private Optional<JsonNode> place = Optional.empty();

        private boolean ended;

        /** @param body finds its first rows, whatever their number */
        Result(Map<String, Object> body, boolean scrolls) {
            this.body = body;
            this.scrolls = scrolls;
        }

        @Override
        public long next(int size, RowReader rows) {
            stop.scheduleDeadline();
            return read(size, rows);
        }

        private long read(long most, RowReader rows) {
            RowReader checked = stop.checked(rows);
            long portion = scrolls || most > Portions.LARGEST_AT_ONCE ? Portions.ROWS : most;
            long count = 0;
            while (count < most && !ended) {
                int size = (int) Math.min(portion, most - count);
                List<JsonNode> found = scrolls ? scrolled() : hits(sized(body, size));
                found.forEach(hit -> checked.row(searches.row(hit)));
                count += found.size();
                ended = found.size() < size;
            }
            return count;
        }

        private List<JsonNode> scrolled() {
            Map<String, Object> asked = with(with(body, "size", Portions.ROWS), "sort", List.of("_doc"));
            asked.remove(OpenSearchSearches.TOTAL);
            JsonNode answer = id.isEmpty()
                    ? ask(path(index, client) + "&scroll=" + kept(), OpenSearchClient.bytes(asked))
                    : ask(SCROLL, OpenSearchClient.bytes(Map.of("scroll_id", id, "scroll", kept())));
            id = answer.path("_scroll_id").asText();
            return OpenSearchSearches.hits(answer);
        }

        /** The rows of one portion, beyond the last one that was asked for. */
        private List<JsonNode> hits(Map<String, Object> asked) {
            if (id.isEmpty()) {
                id = ask("/" + index + POINT_IN_TIME + "?keep_alive=" + kept(), OpenSearchClient.NOTHING)
                        .path("pit_id")
                        .asText();
            }
            Map<String, Object> portion = with(asked, "pit", Map.of("id", id, "keep_alive", kept()));
            place.ifPresent(last -> {
                portion.remove("from");
                portion.put("search_after", last);
            });
            JsonNode answer = ask(path("", client), OpenSearchClient.bytes(portion));
            id = answer.path("pit_id").asText(id);
            List<JsonNode> found = OpenSearchSearches.hits(answer);
            if (!found.isEmpty()) {
                place = Optional.of(found.get(found.size() - 1).path("sort"));
            }
            return found;
        }

        @Override
        public void close() {
            if (!id.isEmpty()) {
                try {
                    var unused = client.with(RELEASE)
                            .ask(
                                    "DELETE",
                                    scrolls ? SCROLL : POINT_IN_TIME,
                                    Map.of(scrolls ? "scroll_id" : "pit_id", List.of(id)));
                } catch (OpenSearchException lost) {
                    // The server gives it up by itself when it has been kept for long enough.
                }
                id = "";
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
        private static final Pattern FIELD = Pattern.compile("([A-Za-z_][\\w.-]*):");
        /** Reads values of documents; not {@code IndexSort...}, which looks by the order of the index, nor what chooses between both. */
        private static final Pattern READING_ALL =
                Pattern.compile("(?!IndexSort|IndexOrDocValues).*DocValues.*|MatchAllDocsQuery|FieldExistsQuery");

        private ProfiledPlan() {}

        /** @param sorted whether the rows had to be sorted */
        static Plan of(JsonNode profile, String index, String timeField, boolean sorted) {
            List<Access> accesses = new ArrayList<>();
            for (JsonNode queries : profile.findValues("query")) {
                queries.findParents("type").stream()
                        .filter(query -> query.path("children").isEmpty())
                        .flatMap(query -> access(query, index, timeField).stream())
                        .forEach(accesses::add);
            }
            return new Plan(profile.toPrettyString(), Plan.Format.JSON, accesses, sorted, false, Optional.empty());
        }

        private static Optional<Access> access(JsonNode query, String index, String timeField) {
            String type = query.path("type").asText();
            Matcher named = FIELD.matcher(query.path("description").asText());
            if (READING_ALL.matcher(type).matches()) {
                return Optional.of(new Access(Kind.TABLE, index));
            } else if (named.find()) {
                String field = named.group(1);
                Kind other = field.equals(timeField) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
                return Optional.of(new Access(field.equals("_id") ? Kind.ID_INDEX : other, field));
            }
            // The terms of a segment tell that there are none.
            return type.equals("MatchNoDocsQuery") ? Optional.of(new Access(Kind.FIELD_INDEX, type)) : Optional.empty();
        }
    }
}
