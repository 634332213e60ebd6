package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.layout.EventFields;
import siemload.database.layout.ValueLines;
import siemload.database.opensearch.EventIndex.EventBatch;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerStore;
import siemload.event.IdeaWriter;
import siemload.query.CountedValue;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/** The index, or the indexes, that a run searches. */
abstract class OpenSearchStore extends ServerStore {
    final IndexSearches searches;
    final Duration timeout;
    /** Waits as long as a search may take. */
    final OpenSearchClient client;
    /** Waits for a search that the server gives up, too. */
    final OpenSearchClient patient;

    OpenSearchStore(OpenSearchServer server, RunCopy copy) {
        super(copy);
        this.searches = server.searches();
        this.timeout = server.searchTimeout();
        this.client = server.client().with(timeout);
        this.patient = server.client().with(timeout.plus(OpenSearchSession.SILENCE));
    }

    @Override
    public final SearchSession openSession() {
        return new OpenSearchSession(patient, copy().name(), searches, timeout, copy().watchers());
    }

    @Override
    public final Optional<Counters> openCounters() {
        return Optional.of(OpenSearchCounters.of(client, copy().name()));
    }

    /** The copy of one run. */
    static final class Copy extends OpenSearchStore {
        private static final String VISIBLE = "refresh=wait_for&";

        Copy(OpenSearchServer server, RunCopy copy) {
            super(server, copy);
        }

        /**
         * Sends batches by the bulk interface, and waits until searches find them: a server answers before that, unless it is asked to wait for its
         * next refresh. A batch is no transaction: one that failed may be stored in part, and is completed when it is written again.
         */
        @Override
        public EventSink openSink() {
            IdeaWriter writer = new IdeaWriter();
            String alias = EventIndex.alias(copy().name());
            return batch -> {
                EventBatch events = EventBatch.of(batch, searches.layout(), writer);
                return ERRORS.answering(timeout, () -> {
                    if (events.store(client, alias, VISIBLE) > 0) {
                        // Where all of it is there the server has written nothing, and waits for nothing.
                        var unused = client.ask("POST", "/" + alias + "/_refresh");
                    }
                    return events.bytes();
                });
            };
        }

        @Override
        public Optional<ServerClock> openClock() {
            return Optional.of(
                    ServerClock.ofMillis(() -> ERRORS.answering(timeout, () -> OpenSearchServer.time(client))));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return ERRORS.trying(
                    "look for events in " + copy().tables().place(), () -> Portions.presence(ids, this::found));
        }

        private long found(List<String> ids) {
            Map<String, Object> values = Map.of(
                    "ids",
                    ids,
                    "id_hashes",
                    ids.stream().map(EventFields::idHash).toList());
            Map<String, Object> asked =
                    Map.of("query", searches.layout().block("presence").object(values));
            return patient.ask("POST", "/" + copy().name() + "/_count", asked)
                    .path("count")
                    .asLong();
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            String path = "/" + copy().name() + "/_stats/store?filter_path=_all.primaries.store";
            JsonNode answer =
                    ERRORS.trying("read the size of " + copy().tables().place(), () -> patient.ask("GET", path));
            return new TreeMap<>(Map.of(
                    "events", answer.at("/_all/primaries/store/size_in_bytes").asLong()));
        }
    }

    /** Indexes that were there before, by a layout without loading. Nothing is sent but searches, and questions for statistics. */
    static final class Existing extends OpenSearchStore {
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

        private final String index;

        /** @throws TargetException if there is no such index */
        Existing(OpenSearchServer server) {
            super(server, RunCopy.existing(server.searches().layout().searched()));
            this.index = copy().name();
            try {
                var unused = ERRORS.trying("find the index " + index, () -> client.ask("GET", "/" + index + "/_count"));
            } catch (TargetException missing) {
                close();
                throw missing;
            }
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
                    what, () -> answered.apply(patient.ask("POST", OpenSearchSession.path(index, patient), body)));
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

        /** Documents written or deleted, by the statistics of the index, for which a user needs indices_monitor. */
        @Override
        public OptionalLong rowsWritten() {
            return ERRORS.unless(
                    any -> true,
                    () -> {
                        JsonNode counted = client.ask("GET", "/" + index + "/_stats/indexing")
                                .at("/_all/primaries/indexing");
                        return OptionalLong.of(counted.path("index_total").asLong()
                                + counted.path("delete_total").asLong());
                    },
                    untold -> OptionalLong.empty());
        }
    }
}
