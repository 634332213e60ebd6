package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.Store.Span;
import siemload.database.Store.StoreKind;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.layout.EventText;
import siemload.database.layout.ValueLines;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.server.Documents;
import siemload.database.server.Portions;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * A collection of events, by one client. The server keeps no statistics of it, since it tries plans out; and a checkpoint, which only the
 * administrator's database may ask for, it takes once a minute by itself. To somebody's own collection nothing but aggregations without a
 * stage that writes is sent.
 */
final class MongodbCollection extends Documents<MongoException> {
    private static final BsonTemplate COPY = BsonTemplate.command("copy");
    private static final BsonTemplate STATISTICS = BsonTemplate.command("counters-collection");
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
    private static final String TIMES = "times";
    private static final String EVENTS = ValueLines.EVENTS;

    private final MongoClient client;
    private final MongoDatabase database;
    private final DocumentSearches searches;
    private final TargetOptions options;
    private final MongoCollection<Document> events;

    MongodbCollection(MongodbServer server, String name, MongoClient client) {
        super(server, name);
        this.client = client;
        this.database = server.database(client);
        this.searches = server.searches();
        this.options = server.options();
        this.events = database.getCollection(name);
    }

    @Override
    protected void make() {
        database.createCollection(name());
    }

    /** By this process where the server cannot. */
    @Override
    protected StoreKind copy(String kept) {
        MongoCollection<Document> all = database.getCollection(kept);
        return ERRORS.unless(
                e -> e.getCode() == MongodbErrors.NOT_IMPLEMENTED,
                () -> {
                    all.aggregate(COPY.pipeline(Map.of("copy", name()))).toCollection();
                    return StoreKind.COPY;
                },
                unable -> {
                    make();
                    List<Document> portion = new ArrayList<>();
                    for (Document each : all.find().batchSize(Portions.ROWS)) {
                        portion.add(each);
                        if (portion.size() == Portions.ROWS) {
                            events.insertMany(portion);
                            portion.clear();
                        }
                    }
                    if (!portion.isEmpty()) {
                        events.insertMany(portion);
                    }
                    return StoreKind.COPY;
                });
    }

    @Override
    protected long count() {
        return events.countDocuments();
    }

    /**
     * With the server's own write concern. A batch is no transaction, which a server of its own does not offer: one that failed may be
     * stored in part, and is completed when it is written again.
     */
    @Override
    protected long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing) {
        List<Document> documents = new ArrayList<>(batch.size());
        long bytes = 0;
        for (SecurityEvent event : batch) {
            byte[] idea = writer.toBytes(event);
            bytes += idea.length;
            documents.add((Document) searches.layout().document(event, idea));
        }
        try {
            if (!documents.isEmpty()) {
                events.insertMany(documents, UNORDERED);
            }
        } catch (MongoBulkWriteException e) {
            if (writing == Writing.LOAD || !areAllStored(e)) {
                throw e;
            }
        }
        return bytes;
    }

    /** Whether nothing went wrong but that some events were there already. */
    private static boolean areAllStored(MongoBulkWriteException e) {
        return e.getWriteConcernError() == null
                && e.getWriteErrors().stream().allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
    }

    @Override
    public List<BuildStep> indexes() {
        return all().stream()
                .map(index -> new BuildStep("index " + index.getString("name"), () -> build(List.of(index))))
                .toList();
    }

    private List<Document> all() {
        return searches.layout().indexes(options.variant().indexes());
    }

    /** In one pass over the collection. */
    @Override
    public void completeCopy() {
        if (!all().isEmpty()) {
            build(all());
        }
    }

    private void build(List<Document> indexes) {
        Document command = new Document("createIndexes", name()).append("indexes", indexes);
        ERRORS.running("build the indexes of " + place(), () -> database.runCommand(command));
    }

    /** The index of the ids stays: no collection can do without it. */
    @Override
    public void dropIndexes() {
        ERRORS.running("drop the indexes of " + place(), events::dropIndexes);
    }

    @Override
    protected long delete() {
        return events.deleteMany(Filters.empty()).getDeletedCount();
    }

    @Override
    protected SearchSession session(Hint hint, ScheduledExecutorService watchers) {
        return new MongodbSession(client, events, searches.with(hint), options.searchTimeout(), watchers);
    }

    @Override
    protected Counters counters() {
        return MongodbCounters.of(client, events, searches.layout().isForSearchesAlone(), options.searchTimeout());
    }

    @Override
    protected Instant time() {
        return MongodbServer.time(database);
    }

    @Override
    protected long found(List<String> ids) {
        return events.countDocuments(searches.layout().template("presence").document(Map.of("ids", ids)));
    }

    @Override
    protected SortedMap<String, Long> bytes() {
        return sizes(MongodbServer.json(Objects.requireNonNullElseGet(
                events.aggregate(STATISTICS.pipeline(Map.of())).first(), Document::new)));
    }

    /** From an answer of $collStats; each copy has a name of its own, so that all are called events. */
    static SortedMap<String, Long> sizes(JsonNode answer) {
        SortedMap<String, Long> sizes = new TreeMap<>();
        JsonNode size = answer.at("/storageStats/storageSize");
        if (size.isNumber()) {
            sizes.put("events", size.asLong());
        }
        answer.at("/storageStats/indexSizes").forEachEntry((index, bytes) -> sizes.put(index, bytes.asLong()));
        return sizes;
    }

    /** Writing operations on collections of the database, by {@code top}, for which a user needs the role clusterMonitor. */
    @Override
    protected long written() {
        return written(
                MongodbServer.json(client.getDatabase("admin").runCommand(new Document("top", 1))), database.getName());
    }

    /** From the answer of {@code top}. */
    static long written(JsonNode top, String database) {
        return top.path("totals")
                .propertyStream()
                .filter(counted -> counted.getKey().startsWith(database + "."))
                .map(Map.Entry::getValue)
                .mapToLong(counted -> counted.at("/insert/count").asLong()
                        + counted.at("/update/count").asLong()
                        + counted.at("/remove/count").asLong())
                .sum();
    }

    @Override
    protected Span span() {
        Document line = lines(TIMES, searches.times(), 1).stream()
                .filter(first -> whole(first, EVENTS, TIMES) > 0)
                .findFirst()
                .orElseThrow(() ->
                        new TargetException(TIMES + " finds no event in " + place() + ": there is nothing to search"));
        return new Span(time(line, "oldest"), time(line, "newest"), whole(line, EVENTS, TIMES));
    }

    private static Instant time(Document line, String key) {
        return EventText.instant(whole(line, key, TIMES + ", as DetectMicros of the block rows,"));
    }

    private List<Document> lines(String block, List<Document> stages, int most) {
        List<Document> bounded = new ArrayList<>(stages);
        bounded.add(new Document("$limit", most));
        return ERRORS.trying(
                "ask " + block + ", in " + place(),
                () -> events.aggregate(bounded)
                        .allowDiskUse(true)
                        .maxTime(options.searchTimeout().toMillis(), MILLISECONDS)
                        .into(new ArrayList<>()));
    }

    private static long whole(Document line, String key, String block) {
        Object value = line.get(key);
        return text(value)
                .filter(digits -> value instanceof Number)
                .map(Long::valueOf)
                .orElseThrow(() -> new TargetException(block + " gives as " + key + " " + shown(value)
                        + " (needed: a whole number; times are in microseconds since 1970)"));
    }

    private static String shown(@Nullable Object value) {
        return value == null ? "nothing" : value + " (" + value.getClass().getSimpleName() + ")";
    }

    private static Optional<String> text(@Nullable Object value) {
        if (value instanceof String || value instanceof ObjectId) {
            return Optional.of(value.toString());
        }
        return value instanceof Number number && number.longValue() == number.doubleValue()
                ? Optional.of(Long.toString(number.longValue()))
                : Optional.empty();
    }

    @Override
    protected Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> all = new EnumMap<>(ValueField.class);
        searches.layout().values().forEach((field, query) -> {
            ValueLines values = new ValueLines(field);
            for (Document line : lines(values.place(), query, most)) {
                Object given = line.get(ValueLines.VALUE);
                String value = text(given)
                        .orElseThrow(() -> values.wrong("gives as value " + shown(given)
                                + " (needed: text, a whole number or an ObjectId; leave others out by $match)"));
                Map<String, Optional<String>> beside = new HashMap<>();
                line.forEach((key, other) -> beside.put(key, text(other)));
                beside.keySet().removeAll(Set.of("_id", ValueLines.VALUE, EVENTS));
                values.add(value, whole(line, EVENTS, values.place()), beside);
            }
            all.put(field, values.all());
        });
        return all;
    }

    /** A pool finds out that its connections are broken when it uses one, and then throws all of them away. */
    @Override
    protected void reconnect() {
        var unused = client.getDatabase("admin").runCommand(new Document("ping", 1));
    }

    @Override
    protected void disconnect() {
        client.close();
    }
}
