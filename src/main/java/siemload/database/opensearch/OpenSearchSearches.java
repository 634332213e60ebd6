package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchClient.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.SearchSession.Plan.Access.Kind;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.Variant;
import siemload.database.layout.EventField.EventText;
import siemload.database.layout.JsonSearches;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.NamedServer.DocumentSession;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates searches into requests by a layout, and answers into rows and lines. Immutable and thread-safe, except for its sessions. */
final class OpenSearchSearches extends JsonSearches<Map<String, Object>> {
    private static final JsonTemplate.Notation NOTATION = text -> "*" + text.replaceAll("[\\\\*?]", "\\\\$0") + "*";

    static final Format FORMAT =
            new Format(
                    new OpenSearchPlugin().product(),
                    NOTATION,
                    Map.of("id", "id", "detect_micros", "detect_micros", "event", "json"),
                    Set.of("row", "rows", "newest-first", "oldest-first", "condition-window", "after-key"),
                    variant -> new OpenSearchSearches(variant)::translate) {
                @Override
                protected Optional<String> refusal(String name) {
                    return Optional.of(
                                    "is not a name of an index (needed: an index, an alias, a data stream or a pattern"
                                            + " such as logs-*, in lower case; separated by commas)")
                            .filter(wrong -> !INDEX.matcher(name).replaceAll("").isEmpty());
                }
            };
    /** Names of indexes, separated by commas, without exclusions and without characters that mean anything else in a path. */
    private static final Pattern INDEX = Pattern.compile("(?:^|,)(?![-_])[a-z0-9*._-]{1,255}(?=,|$)");

    /** The key of a request that tells the server whether to count all hits. */
    static final String TOTAL = "track_total_hits";

    private static final String TIME = "time";
    private static final String STEPS = "steps";
    private static final String SETTINGS = "settings";
    private static final String OF_INDEX = "index.";
    private static final int MICROS_PER_MILLI = 1_000;
    /** The family and the bytes of an address, as a text that sorts like addresses. */
    private static final Pattern IN_ORDER = Pattern.compile("4[0-9a-f]{8}|6[0-9a-f]{32}");

    private static final Pattern FIELD = Pattern.compile("([A-Za-z_][\\w.-]*):");
    /** Queries that read document values; without {@code IndexSort...}, which uses the index order, and queries that may do either. */
    private static final Pattern READING_ALL =
            Pattern.compile("(?!IndexSort|IndexOrDocValues).*DocValues.*|MatchAllDocsQuery|FieldExistsQuery");

    private final Map<String, Object> index;
    private final SortedMap<String, Object> settings = new TreeMap<>();
    private final Map<String, Object> rows;
    /** The places in a hit at which the parts of a row are found. */
    private final Map<String, Object> row;

    /**
     * Creates the searches of a run, and reads a user's layout.
     *
     * @throws siemload.config.ConfigException with all problems of its files
     */
    OpenSearchSearches(Variant variant) {
        super(FORMAT, variant);
        this.index = find("indexes-" + variant.indexes().label())
                .map(set -> set.object(Map.of()))
                .orElse(Map.of());
        addSettings("", (Map<?, ?>) index.getOrDefault(SETTINGS, Map.of()));
        this.rows = block("rows").object(Map.of());
        this.row = block("row").object(Map.of());
    }

    private void addSettings(String path, Map<?, ?> section) {
        section.forEach((key, value) -> {
            String name = path + key;
            if (value instanceof Map<?, ?> inner) {
                addSettings(name + ".", inner);
            } else {
                settings.put(name.startsWith(OF_INDEX) ? name : OF_INDEX + name, value);
            }
        });
    }

    /**
     * The body of the request that creates the index of the run's set.
     *
     * @param alias for writing
     */
    Map<String, Object> creation(String alias) {
        return with(with(index, SETTINGS, settings), "aliases", Map.of(alias, Map.of()));
    }

    /** The settings of the index in the layout, by their full names; empty for existing indexes. */
    SortedMap<String, Object> settings() {
        return settings;
    }

    String timeField() {
        return order(Order.NEWEST_FIRST).get(0).keySet().iterator().next();
    }

    @SuppressWarnings("unchecked") // The layout was checked: there is a list of objects.
    private List<Map<String, Object>> order(Order order) {
        return (List<Map<String, Object>>) sort(order).orElse(List.of());
    }

    /**
     * A request for rows: the conditions, the order, and the parts of a row. Not all hits are counted, so that the server can end early.
     */
    Map<String, Object> rows(Search search, Order order) {
        Map<String, Object> body = new LinkedHashMap<>(rows);
        body.put(TOTAL, false);
        body.put("query", conditions(search));
        if (!order(order).isEmpty()) {
            body.put("sort", order(order));
        }
        return body;
    }

    static Map<String, Object> with(Map<String, Object> body, String part, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(part, value);
        return more;
    }

    static Map<String, Object> sized(Map<String, Object> body, int size) {
        return with(body, "size", size);
    }

    /** The request for a search's page, or for the first rows of a whole result. The last page comes in reverse order. */
    Map<String, Object> first(Search search) {
        if (Portions.isSingle(search)) {
            return sized(rows(search, Order.UNSORTED), 1);
        }
        boolean backwards = search.page() instanceof Page.Last;
        Map<String, Object> body = sized(
                rows(search, backwards ? search.order().reversed() : search.order()),
                Portions.of(search.page().mostRows().orElse(Portions.ROWS)));
        if (search.page() instanceof Page.After page) {
            return with(body, "search_after", place(page.key()));
        } else if (search.page() instanceof Page.Numbered page && page.offset() > 0) {
            // The offset is limited to what the server accepts.
            return with(body, "from", (int) Math.min(page.offset(), Integer.MAX_VALUE - page.size()));
        }
        return body;
    }

    Object place(PageKey key) {
        return block("after-key").value(name -> value(name, key(key)));
    }

    /** A request that aggregates or counts the events of a search; its text is the same in every process. */
    Map<String, Object> withoutRows(Search search, Optional<Object> aggregations) {
        Map<String, Object> body = new LinkedHashMap<>();
        aggregations.ifPresent(asked -> body.put("aggs", asked));
        body.put("size", 0);
        body.put(TOTAL, aggregations.isEmpty());
        body.put("query", conditions(search));
        return body;
    }

    @Override
    protected Map<String, Object> summed(Search search, Summary summary) {
        return withoutRows(search, Optional.of(summed(search, summary, Map.of(TIME, timeField()))));
    }

    /** Returns whether the index is stored in this order, so that the server need not sort. */
    boolean isSortedBy(Order order) {
        Map<String, Object> keys = new LinkedHashMap<>();
        order(order).forEach(keys::putAll);
        return List.copyOf(keys.keySet()).equals(settings.get("index.sort.field"))
                && new ArrayList<>(keys.values()).equals(settings.get("index.sort.order"));
    }

    /** Combines conditions as a filter, for which the server computes no relevance scores. */
    @Override
    protected Map<String, Object> all(List<Map<String, Object>> parts) {
        return parts.isEmpty() ? Map.of("match_all", Map.of()) : Map.of("bool", Map.of("filter", parts));
    }

    @Override
    protected Map<String, Object> any(List<Map<String, Object>> parts) {
        Map<String, Object> any = new LinkedHashMap<>();
        any.put("should", parts);
        any.put("minimum_should_match", 1);
        return Map.of("bool", any);
    }

    /** Returns an answer that is complete in all shards. @throws OpenSearchException if it is incomplete */
    static JsonNode whole(JsonNode answer) {
        if (answer.path("timed_out").asBoolean(false)) {
            throw OpenSearchException.incomplete("the server gave up before it had looked at all events");
        }
        int failed = answer.at("/_shards/failed").asInt(0);
        if (failed > 0) {
            throw OpenSearchException.incomplete(failed + " shards gave no answer");
        }
        return answer;
    }

    /** Returns the rows of an answer. @throws OpenSearchException if it is incomplete */
    static List<JsonNode> hits(JsonNode answer) {
        return whole(answer).at("/hits/hits").valueStream().toList();
    }

    static long total(JsonNode answer) {
        return whole(answer).at("/hits/total/value").asLong();
    }

    /**
     * The lines of a summary. Each shard counts separately, so counts may be wrong if a shard returns only some of its values. An answer
     * that is not known to be exact is refused.
     *
     * @throws OpenSearchException if the answer may not be exact
     */
    List<Summary.Line> lines(Search search, Summary summary, JsonNode answer) {
        JsonNode aggregations = whole(answer).path("aggregations");
        boolean isTimeline = aggregations.has(STEPS);
        // Dates in existing indexes are in milliseconds.
        long unit = about.isForSearchesAlone() ? MICROS_PER_MILLI : 1;
        List<Summary.Line> lines = new ArrayList<>();
        for (JsonNode step : isTimeline ? aggregations.path(STEPS).path("buckets") : List.of(aggregations)) {
            JsonNode values = step.path("values");
            if (!values.has("buckets")) {
                throw OpenSearchException.incomplete("the layout has no aggregation 'values' with buckets");
            }
            // A timeline needs all values of the field.
            if (values.path("doc_count_error_upper_bound").asLong(0) != 0
                    || (isTimeline && values.path("sum_other_doc_count").asLong(0) != 0)) {
                throw OpenSearchException.incomplete("the shards have more values than were requested, so the"
                        + " summary would not be exact (use one shard, or a larger size in the layout)");
            }
            Instant from = isTimeline
                    ? EventText.instant(Math.round(step.path("key").asDouble() * unit))
                    : search.window().start();
            values.path("buckets").forEach(line -> {
                String value = line.path("key").asText();
                lines.add(new Summary.Line(
                        from,
                        summary.field() == Field.SOURCE ? address(value) : value,
                        line.path("doc_count").asLong()));
            });
        }
        return lines;
    }

    /** The address in {@code lowest_source} or in a text. @throws OpenSearchException if there is none */
    private static String address(String stored) {
        try {
            AddressRange address = IN_ORDER.matcher(stored).matches()
                    ? AddressRange.ofBytes(HexFormat.of().parseHex(stored, 1, stored.length()))
                    : AddressRange.parse(stored);
            return address.toString();
        } catch (IllegalArgumentException none) {
            throw OpenSearchException.incomplete("a line of the summary has a value that is not an address");
        }
    }

    /** @throws OpenSearchException if the layout does not provide the parts of a row */
    DetachedRow row(JsonNode hit) {
        JsonNode id = part(hit, "id");
        if (!id.isTextual() && !id.isIntegralNumber()) {
            throw wrong("id", id, "text or a whole number");
        }
        JsonNode event = part(hit, "event");
        if (event.isMissingNode() || event.isNull()) {
            throw wrong("event", event, "text or an object");
        }
        return new DetachedRow(
                id.asText(),
                time(part(hit, TIME)),
                event.isTextual() ? event.asText().getBytes(StandardCharsets.UTF_8) : OpenSearchClient.bytes(event));
    }

    /** Returns the detect time, which is in microseconds if siemload has stored the event. */
    private Instant time(JsonNode found) {
        try {
            return found.isIntegralNumber() && !about.isForSearchesAlone()
                    ? EventText.instant(found.asLong())
                    : Instant.parse(found.isTextual() ? found.asText() : "");
        } catch (DateTimeParseException none) {
            throw wrong(
                    TIME,
                    found,
                    "a time such as 2024-02-20T00:00:00.123Z; request it in docvalue_fields with the format"
                            + " strict_date_optional_time_nanos");
        }
    }

    /** In existing documents requested fields are returned as lists, even if they have a single value. */
    private JsonNode part(JsonNode hit, String name) {
        String field = String.valueOf(row.get(name));
        if (field.startsWith("_")) {
            return hit.path(field);
        }
        return about.isForSearchesAlone()
                ? hit.path("fields").path(field).path(0)
                : hit.path("_source").path(field);
    }

    private OpenSearchException wrong(String part, JsonNode found, String needed) {
        return OpenSearchException.incomplete("the block row reads " + part + " from " + row.get(part) + " and finds "
                + (found.isMissingNode() ? "nothing" : found.toString()) + " (needed: " + needed + ")");
    }

    /** The path for searching an index. A partial answer is an error, and the server cancels a search that nobody waits for any more. */
    static String path(String index, OpenSearchClient client) {
        return (index.isEmpty() ? "" : "/" + index)
                + "/_search?allow_partial_search_results=false&cancel_after_time_interval="
                + client.timeout().toMillis() + "ms";
    }

    /** Runs searches, one at a time. A request is cancelled by closing its connection, so that the server cancels its work. */
    final class OpenSearchSession extends DocumentSession<OpenSearchException> {
        private static final String SCROLL = "/_search/scroll";
        private static final String POINT_IN_TIME = "/_search/point_in_time";
        private static final Duration LEAST_KEPT = Duration.ofMinutes(10);
        /** The timeout for releasing a result; a server that does not answer has already used up the timeout of the search. */
        private static final Duration RELEASE = Duration.ofSeconds(1);

        private final OpenSearchClient client;
        private final String index;
        private volatile CompletableFuture<HttpResponse<byte[]>> running = new CompletableFuture<>();

        /** @param client its timeout is a bit longer than that of a search */
        OpenSearchSession(OpenSearchClient client, String index, Duration timeout, ScheduledExecutorService watchers) {
            super(ERRORS, timeout, watchers, OpenSearchClient.OpenSearchErrors.CANCELLED_CODE, "search");
            this.client = client;
            this.index = index;
        }

        @Override
        public long search(Search search, RowReader rows) {
            boolean isSmall = search.page() instanceof Page.Sized page && !Portions.make(page.size());
            return answer(() -> isSmall || Portions.isSingle(search) ? atOnce(search, rows) : inPortions(search, rows));
        }

        private long atOnce(Search search, RowReader rows) {
            List<JsonNode> found = new ArrayList<>(hits(ask(first(search))));
            if (search.page() instanceof Page.Last) {
                Collections.reverse(found);
            }
            found.forEach(hit -> rows.row(row(hit)));
            return found.size();
        }

        /** For the last rows, the row before them is found from the end of the result; from there they are read in the result's order. */
        private long inPortions(Search search, RowReader rows) {
            boolean isLast = search.page() instanceof Page.Last;
            try (Result result = new Result(
                    isLast ? rows(search, search.order()) : first(search), search.order() == Order.UNSORTED)) {
                if (search.page() instanceof Page.Last page) {
                    Map<String, Object> backwards = rows(search, search.order().reversed());
                    result.portion(with(with(sized(backwards, 1), "from", page.size()), "_source", false));
                }
                return result.read(search.page().mostRows().orElse(Integer.MAX_VALUE), rows);
            }
        }

        @Override
        public long count(Search search) {
            Map<String, Object> body = withoutRows(search, Optional.empty());
            return answer(() -> total(ask(body)));
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            Map<String, Object> body = summed(search, summary);
            return answer(() -> lines(search, summary, ask(body)));
        }

        @Override
        protected ResultCursor result(Search search) {
            return new Result(rows(search, search.order()), false);
        }

        @Override
        public Plan explain(Search search) {
            Map<String, Object> body =
                    search.summary().map(summary -> summed(search, summary)).orElseGet(() -> first(search));
            boolean sorted = body.containsKey("sort") && !isSortedBy(search.order());
            JsonNode profile =
                    answer(() -> whole(ask(with(body, "profile", true)))).path("profile");
            return plan(profile, index, timeField(), sorted);
        }

        /** Answers a search under a deadline of siemload, since the server has none for a search as a whole. */
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

        /** Sends a request of a search. Cancellation is checked after sending, so that a later cancellation finds the request. */
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
                // Cancelling is harmless once the answer is there.
                asked.cancel(true);
            }
        }

        /**
         * A result that does not change while it is read in portions. An ordered result uses a point in time: each portion continues after
         * the last row. An unordered result uses a scroll, which always counts all hits. The first portion opens the result.
         */
        private final class Result implements ResultCursor {
            private final Map<String, Object> body;
            private final boolean scrolls;
            /** How long the server keeps the result open after each portion: longer than any think time between two pages. */
            private final String kept = Math.max(client.timeout().toSeconds(), LEAST_KEPT.toSeconds()) + "s";
            /** The id of the open result; the server may change it with each portion. Empty before the first portion. */
            private String id = "";
            /** The last row's sort values; empty before the first row. */
            private Optional<JsonNode> place = Optional.empty();

            private boolean ended;

            /** @param body of the request for the first rows, whatever their number */
            Result(Map<String, Object> body, boolean scrolls) {
                this.body = body;
                this.scrolls = scrolls;
            }

            @Override
            public long next(int size, RowReader rows) {
                return page(() -> read(size, rows));
            }

            private long read(long most, RowReader rows) {
                RowReader checked = stop.checked(rows);
                long portion = scrolls || most > Portions.LARGEST_AT_ONCE ? Portions.ROWS : most;
                long count = 0;
                while (count < most && !ended) {
                    int size = (int) Math.min(portion, most - count);
                    List<JsonNode> found = scrolls ? scrolled() : portion(sized(body, size));
                    found.forEach(hit -> checked.row(row(hit)));
                    count += found.size();
                    ended = found.size() < size;
                }
                return count;
            }

            private List<JsonNode> scrolled() {
                Map<String, Object> first = with(sized(body, Portions.ROWS), "sort", List.of("_doc"));
                first.remove(TOTAL);
                JsonNode answer = id.isEmpty()
                        ? ask(path(index, client) + "&scroll=" + kept, OpenSearchClient.bytes(first))
                        : ask(SCROLL, OpenSearchClient.bytes(Map.of("scroll_id", id, "scroll", kept)));
                id = answer.path("_scroll_id").asText();
                return hits(answer);
            }

            /** Returns the rows of the next portion. */
            private List<JsonNode> portion(Map<String, Object> asked) {
                if (id.isEmpty()) {
                    id = ask("/" + index + POINT_IN_TIME + "?keep_alive=" + kept, OpenSearchClient.NOTHING)
                            .path("pit_id")
                            .asText();
                }
                Map<String, Object> portion = with(asked, "pit", Map.of("id", id, "keep_alive", kept));
                place.ifPresent(last -> {
                    portion.remove("from");
                    portion.put("search_after", last);
                });
                JsonNode answer = ask(path("", client), OpenSearchClient.bytes(portion));
                id = answer.path("pit_id").asText(id);
                List<JsonNode> found = hits(answer);
                if (!found.isEmpty()) {
                    place = Optional.of(found.get(found.size() - 1).path("sort"));
                }
                return found;
            }

            @Override
            public void close() {
                if (!id.isEmpty()) {
                    Map<String, Object> open = Map.of(scrolls ? "scroll_id" : "pit_id", List.of(id));
                    // If this request fails, the server closes the result after its keep-alive time.
                    var unused = ERRORS.unless(
                            lost -> true,
                            () -> client.with(RELEASE).ask("DELETE", scrolls ? SCROLL : POINT_IN_TIME, open),
                            lost -> MissingNode.getInstance());
                    id = "";
                }
            }
        }
    }

    /**
     * Reduces the output of {@code profile} to what can be compared: the queries that Lucene executed in each shard. Reading a field's
     * values document by document ({@code doc values}) counts as reading the whole index, since no index of that field narrows it.
     *
     * @param sorted whether the rows had to be sorted
     * @see <a href="https://docs.opensearch.org/latest/api-reference/search-apis/profile/">Profile</a>
     */
    static Plan plan(JsonNode profile, String index, String timeField, boolean sorted) {
        List<Access> accesses = new ArrayList<>();
        for (JsonNode queries : profile.findValues("query")) {
            queries.findParents("type").stream()
                    .filter(query -> query.path("children").isEmpty())
                    .flatMap(query -> access(query, index, timeField).stream())
                    .forEach(accesses::add);
        }
        return new Plan(profile.toPrettyString(), "json", accesses, sorted);
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
        // The index of the field's terms showed that no document matches.
        return type.equals("MatchNoDocsQuery") ? Optional.of(new Access(Kind.FIELD_INDEX, type)) : Optional.empty();
    }

    /** Writes JSON in UTF-8. */
    record JsonOutput(JsonGenerator json) implements JsonTemplate.Output {
        @Override
        public void startObject() throws IOException {
            json.writeStartObject();
        }

        @Override
        public void key(String key) throws IOException {
            json.writeFieldName(key);
        }

        @Override
        public void endObject() throws IOException {
            json.writeEndObject();
        }

        @Override
        public void startList() throws IOException {
            json.writeStartArray();
        }

        @Override
        public void endList() throws IOException {
            json.writeEndArray();
        }

        @Override
        public void single(@Nullable Object raw) throws IOException {
            Object value = NOTATION.value(raw);
            if (value instanceof String text) {
                json.writeString(text);
            } else if (value instanceof Integer number) {
                json.writeNumber(number);
            } else if (value instanceof Long number) {
                json.writeNumber(number);
            } else if (value instanceof byte[] utf8) {
                json.writeUTF8String(utf8, 0, utf8.length);
            } else {
                json.writeObject(value);
            }
        }
    }
}
