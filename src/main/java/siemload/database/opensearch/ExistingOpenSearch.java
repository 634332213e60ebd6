package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.ExistingEvents.Span;
import siemload.database.ExistingTarget;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.layout.ValueLines;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.Canceller;
import siemload.query.CountedValue;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * Indexes of an OpenSearch cluster as they are. The server has no sessions that only read: nothing is sent but searches and what tells
 * statistics, whatever the user may do.
 */
record ExistingOpenSearch(OpenSearchServer server) implements ExistingTarget {
    static ExistingOpenSearch connect(ServerAddress address, TargetOptions options) {
        if (!options.parameters().isEmpty()) {
            throw new TargetException(
                    "parameters of OpenSearch are settings of an index that siemload makes, and nothing is"
                            + " changed on those that are there already (leave -Dparameters out)");
        }
        return new ExistingOpenSearch(OpenSearchServer.connect(address, options));
    }

    /** The server tells a user's roles, and not what they allow. */
    @Override
    public List<String> rights() {
        Optional<JsonNode> user = ERRORS.trying(
                "see the rights of the user", () -> server.client().user());
        return List.of(user.map(told -> "the user " + told.path("user_name").asText("") + " has the roles "
                        + told.path("roles")
                                .valueStream()
                                .map(JsonNode::asText)
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "; the server does not say whether they allow more than to read")
                .orElse("the server asks nobody who they are, so that whoever reaches it may do anything"));
    }

    @Override
    public String kept() {
        return "a search, which cannot write";
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(server.use(List.of()));
    }

    @Override
    public ExistingEvents openEvents() {
        return server.searches().layout().isForSearchesAlone()
                ? new EventsOpenSearchStore(server.client(), server.searches(), server.searchTimeout())
                : ExistingTarget.super.openEvents();
    }

    /**
     * An index that was there before the run, whose documents a layout without loading says how to search. It is sent nothing but searches,
     * and asked for its statistics.
     */
    private static final class EventsOpenSearchStore implements ExistingEvents {
        private static final Search ALL =
                new Search(new SearchName("ALL"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());
        /** What a bucket has beside the aggregations within it. */
        private static final Set<String> OF_BUCKETS = Set.of(
                "key",
                "key_as_string",
                "doc_count",
                "doc_count_error_upper_bound",
                "from",
                "from_as_string",
                "to",
                "to_as_string");

        private final OpenSearchClient client;
        private final String index;
        private final IndexSearches searches;
        private final Duration timeout;
        private final ScheduledThreadPoolExecutor watchers;

        /**
         * @param timeout of a search
         * @throws siemload.database.TargetException if there is no such index
         */
        EventsOpenSearchStore(OpenSearchClient outside, IndexSearches searches, Duration timeout) {
            this.client = outside.with(timeout.plus(OpenSearchSession.SILENCE));
            this.index = searches.layout().searched();
            this.searches = searches;
            this.timeout = timeout;
            var unused = ERRORS.trying(
                    "find the index " + index, () -> outside.with(timeout).ask("GET", "/" + index + "/_count"));
            this.watchers = Canceller.watchers();
        }

        @Override
        public SearchSession openSession() {
            return new OpenSearchSession(client, index, searches, timeout, watchers);
        }

        /** There are no hints. */
        @Override
        public SearchSession openSession(Hint hint) {
            return openSession();
        }

        /** The first rows of both orders, and how many there are. */
        @Override
        public Span span() {
            long count = asking("count the events in the index " + index, searches.counting(ALL), IndexSearches::total);
            if (count < 1) {
                throw new TargetException("there is no event in the index " + index + ": there is nothing to search");
            }
            return new Span(first(Order.OLDEST_FIRST), first(Order.NEWEST_FIRST), count);
        }

        private Instant first(Order order) {
            return asking(
                    "see when the events in the index " + index + " were",
                    IndexSearches.sized(searches.rows(ALL, order), 1),
                    answer -> IndexSearches.hits(answer).stream()
                            .map(hit -> searches.row(hit).detectTime())
                            .findFirst()
                            .orElseThrow(
                                    () -> OpenSearchException.incomplete("no row came, although there are events")));
        }

        private <T> T asking(String what, Map<String, Object> body, Function<JsonNode, T> answered) {
            return ERRORS.trying(
                    what, () -> answered.apply(client.ask("POST", OpenSearchSession.path(index, client), body)));
        }

        @Override
        public Map<ValueField, List<CountedValue>> values(int most) {
            Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
            searches.layout()
                    .values(most)
                    .forEach((field, aggregations) -> values.put(field, values(field, aggregations, most)));
            return values;
        }

        private List<CountedValue> values(ValueField field, Map<String, Object> aggregations, int most) {
            ValueLines values = new ValueLines(field);
            JsonNode answer = asking(
                    "ask " + values.place() + ", in the index " + index,
                    searches.aggregating(ALL, aggregations),
                    IndexSearches::whole);
            answer.at("/aggregations/values/buckets")
                    .valueStream()
                    .limit(most)
                    .forEach(bucket -> values.add(
                            text(bucket.path("key"))
                                    .orElseThrow(() -> values.wrong("gives as value " + bucket.path("key")
                                            + " (needed: text or a whole number)")),
                            bucket.path("doc_count").asLong(),
                            beside(bucket)));
            return values.all();
        }

        /** The first value of each aggregation within a bucket. */
        private static Map<String, Optional<String>> beside(JsonNode bucket) {
            Map<String, Optional<String>> beside = new HashMap<>();
            bucket.forEachEntry((name, within) -> beside.put(name, text(within.at("/buckets/0/key"))));
            beside.keySet().removeAll(OF_BUCKETS);
            return beside;
        }

        private static Optional<String> text(JsonNode key) {
            return key.isTextual() || key.isIntegralNumber() ? Optional.of(key.asText()) : Optional.empty();
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new OpenSearchCounters(client.with(timeout), index));
        }

        /** Documents written or deleted, by the statistics of the index, for which a user needs indices_monitor. */
        @Override
        public OptionalLong rowsWritten() {
            try {
                JsonNode counted = client.with(timeout)
                        .ask("GET", "/" + index + "/_stats/indexing")
                        .at("/_all/primaries/indexing");
                return OptionalLong.of(counted.path("index_total").asLong()
                        + counted.path("delete_total").asLong());
            } catch (OpenSearchException untold) {
                return OptionalLong.empty();
            }
        }

        @Override
        public void close() {
            watchers.shutdownNow();
        }
    }
}
