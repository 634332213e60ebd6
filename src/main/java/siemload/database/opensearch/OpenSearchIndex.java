package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.Span;
import siemload.database.Store.StoreKind;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.layout.EventFields;
import siemload.database.layout.ValueLines;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.Documents;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * An index of events, or several of somebody's. What is searched by is settled when it is made, so that there is nothing to be built
 * afterwards. To somebody's own nothing is sent but searches, and questions for statistics.
 */
final class OpenSearchIndex extends Documents<OpenSearchException> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REPLICAS = "index.number_of_replicas";
    private static final String REFRESH_INTERVAL = "index.refresh_interval";
    private static final String BLOCK = "index.blocks.write";
    private static final Search ALL =
            new Search(new SearchName("ALL"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());
    /** What a bucket has beside the aggregations within it. */
    private static final Set<String> OF_BUCKETS = Set.of(
            "key key_as_string doc_count doc_count_error_upper_bound from from_as_string to to_as_string".split(" "));

    private final OpenSearchClient client;
    private final IndexSearches searches;
    private final TargetOptions options;

    OpenSearchIndex(OpenSearchServer server, String name, OpenSearchClient client) {
        super(server, name);
        this.client = client;
        this.searches = server.searches();
        this.options = server.options();
    }

    /** By this name it is written: a server makes an index that is not there, but no alias. */
    private String alias() {
        return name() + ".write";
    }

    private SortedMap<String, Object> settings() {
        return searches.layout().settings(options.variant().indexes());
    }

    @Override
    protected void make() {
        ask("PUT", "", searches.layout().creation(options.variant().indexes(), options.parameters(), alias()));
    }

    /** The files of a segment never change, so that a clone has the very same ones. */
    @Override
    protected StoreKind copy(String kept) {
        Map<String, Object> settings = new HashMap<>();
        // A clone has the settings of the other, but for this one.
        Optional.ofNullable(settings().get(REPLICAS)).ifPresent(number -> settings.put(REPLICAS, number));
        settings.putAll(options.parameters());
        settings.put(BLOCK, false);
        client.ask(
                "PUT",
                "/" + kept + "/_clone/" + name(),
                Map.of("settings", settings, "aliases", Map.of(alias(), Map.of())));
        client.ask(
                "GET",
                "/_cluster/health/" + name() + "?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout="
                        + client.timeout().toSeconds() + "s");
        return StoreKind.CLONE;
    }

    @Override
    protected long count() {
        refresh();
        return ask("GET", "/_count").path("count").asLong();
    }

    /** What was stored until now is found from then on. */
    private void refresh() {
        ask("POST", "/_refresh");
    }

    @Override
    public List<BuildStep> indexes() {
        return List.of();
    }

    @Override
    public void complete(Consumer<String> step) {
        step.accept("flush " + name());
        checkpoint();
    }

    /** Nothing of it is left to be written. */
    @Override
    public void completeCopy() {}

    /** Nothing of it becomes visible before its end, which costs less: nobody searches the index meanwhile. */
    @Override
    public BulkLoad openLoad(String label) {
        refreshEvery("-1");
        return insert(label).endingWith(() -> {
            refreshEvery(Optional.<Object>ofNullable(options.parameters().get(REFRESH_INTERVAL))
                    .orElse(settings().getOrDefault(REFRESH_INTERVAL, NullNode.getInstance())));
            checkpoint();
        });
    }

    /** What was stored becomes visible after this interval; after the server's own one where that is JSON's null. */
    private void refreshEvery(Object interval) {
        ERRORS.running("set up " + place(), () -> ask("PUT", "/_settings", Map.of(REFRESH_INTERVAL, interval)));
    }

    /** From then on it can be read and copied alone. */
    @Override
    public void lock() {
        ERRORS.running("lock " + place(), () -> ask("PUT", "/_block/write"));
    }

    /** Settings for a run alone need an index for it alone. */
    @Override
    public boolean areReadInPlace() {
        return options.parameters().isEmpty();
    }

    /** What is searched by is part of the index. */
    @Override
    public void dropIndexes() {}

    @Override
    protected long delete() {
        refresh();
        Map<String, Object> all = Map.of("query", Map.of("match_all", Map.of()));
        return ask("POST", "/_delete_by_query?refresh=true&conflicts=proceed", all)
                .path("deleted")
                .asLong();
    }

    /** Brings all that was stored into segments on disk, so that the log of changes is empty. */
    @Override
    public void checkpoint() {
        ERRORS.running("flush " + place(), () -> {
            ask("POST", "/_flush?force=true&wait_if_ongoing=true");
            refresh();
        });
    }

    private JsonNode ask(String method, String path) {
        return client.ask(method, "/" + name() + path);
    }

    private JsonNode ask(String method, String path, Map<String, ?> body) {
        return client.ask(method, "/" + name() + path, body);
    }

    /**
     * By the bulk interface: a line for what is to be done with each event, and its document on the next. What is fed is waited for until
     * searches find it: a server answers before that, unless it is asked to wait for its next refresh. A batch is no transaction: one that
     * failed may be stored in part, and is completed when it is written again. The index is not made where it is not there any more.
     */
    @Override
    protected long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        long bytes = 0;
        // A generator of its own separates documents by nothing but these line ends.
        try (JsonGenerator generator = JSON.createGenerator(lines).setRootValueSeparator(null)) {
            for (SecurityEvent event : batch) {
                byte[] idea = writer.toBytes(event);
                bytes += idea.length;
                // Nothing in a hash means anything in JSON.
                generator.writeRaw("{\"create\":{\"_id\":\"" + EventFields.idHash(event.id()) + "\"}}\n");
                generator.writeObject(searches.layout().document(event, idea));
                generator.writeRaw('\n');
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        if (!batch.isEmpty()) {
            store(lines.toByteArray(), writing);
        }
        return bytes;
    }

    private void store(byte[] lines, Writing writing) {
        String path = "/" + alias() + "/_bulk?require_alias=true&filter_path=errors,items.*.status,items.*.error"
                + (writing == Writing.FEED ? "&refresh=wait_for" : "");
        boolean areSomeThere = false;
        for (JsonNode item :
                client.received(client.started("POST", path, lines)).path("items")) {
            JsonNode created = item.path("create");
            boolean isThere = created.path("status").asInt() == OpenSearchErrors.CONFLICT;
            areSomeThere |= isThere;
            if (created.has("error") && !(isThere && writing == Writing.FEED)) {
                // The server's words for one that is there have the id.
                throw new OpenSearchException(
                        created.path("status").asInt(),
                        created.at("/error/type").asText(),
                        isThere
                                ? "the document is there already"
                                : created.at("/error/reason").asText());
            }
        }
        if (areSomeThere) {
            // Where all of it is there the server has written nothing, and waits for nothing.
            client.ask("POST", "/" + alias() + "/_refresh");
        }
    }

    /** There are no hints. */
    @Override
    protected SearchSession session(Hint hint, ScheduledExecutorService watchers) {
        return new OpenSearchSession(client, name(), searches, options.searchTimeout(), watchers);
    }

    @Override
    protected Counters counters() {
        return OpenSearchCounters.of(client, name());
    }

    @Override
    protected Instant time() {
        return OpenSearchServer.time(client);
    }

    @Override
    protected long found(List<String> ids) {
        List<String> hashes = ids.stream().map(EventFields::idHash).toList();
        Map<String, Object> query = searches.layout().block("presence").object(Map.of("ids", ids, "id_hashes", hashes));
        return ask("POST", "/_count", Map.of("query", query)).path("count").asLong();
    }

    @Override
    protected SortedMap<String, Long> bytes() {
        JsonNode store = ask("GET", "/_stats/store?filter_path=_all.primaries.store");
        return new TreeMap<>(
                Map.of("events", store.at("/_all/primaries/store/size_in_bytes").asLong()));
    }

    /** Documents written or deleted, by the statistics of the index, for which a user needs indices_monitor. */
    @Override
    protected long written() {
        JsonNode counted = ask("GET", "/_stats/indexing").at("/_all/primaries/indexing");
        return counted.path("index_total").asLong()
                + counted.path("delete_total").asLong();
    }

    @Override
    protected Span span() {
        long count = asking("count the events in " + place(), searches.counting(ALL), IndexSearches::total);
        if (count < 1) {
            throw new TargetException("there is no event in " + place() + ": there is nothing to search");
        }
        return new Span(first(Order.OLDEST_FIRST), first(Order.NEWEST_FIRST), count);
    }

    private Instant first(Order order) {
        return asking(
                "see when the events in " + place() + " were",
                IndexSearches.sized(searches.rows(ALL, order), 1),
                answer -> IndexSearches.hits(answer).stream()
                        .map(hit -> searches.row(hit).detectTime())
                        .findFirst()
                        .orElseThrow(() -> OpenSearchException.incomplete("no row came, although there are events")));
    }

    private <T> T asking(String what, Map<String, Object> body, Function<JsonNode, T> answered) {
        return ERRORS.trying(
                what, () -> answered.apply(client.ask("POST", OpenSearchSession.path(name(), client), body)));
    }

    @Override
    protected Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> all = new EnumMap<>(ValueField.class);
        searches.layout().values(most).forEach((field, aggregations) -> {
            ValueLines values = new ValueLines(field);
            asking(
                            "ask " + values.place() + ", in " + place(),
                            searches.aggregating(ALL, aggregations),
                            IndexSearches::whole)
                    .at("/aggregations/values/buckets")
                    .valueStream()
                    .limit(most)
                    .forEach(bucket -> values.add(
                            text(bucket.path("key"))
                                    .orElseThrow(() -> values.wrong("gives as value " + bucket.path("key")
                                            + " (needed: text or a whole number)")),
                            bucket.path("doc_count").asLong(),
                            beside(bucket)));
            all.put(field, values.all());
        });
        return all;
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
}
