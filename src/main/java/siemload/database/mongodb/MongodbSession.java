package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static siemload.database.mongodb.MongodbServer.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.Binary;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.layout.EventText;
import siemload.database.layout.SearchConditions.Way;
import siemload.database.mongodb.MongodbSearches.Query;
import siemload.database.mongodb.MongodbServer.MongodbErrors;
import siemload.database.server.DocumentSession;
import siemload.database.server.Portions;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches, one at a time, each over a connection of the store's pool. None of it writes. Each carries a comment of its own, by which
 * it is found on the server when it is to be stopped.
 */
final class MongodbSession extends DocumentSession<MongoException> {
    /** What the server's counters call a statement that answers a search: they tell all reads of the collection together. */
    static final String READS = "reads";

    private static final Document COUNT =
            new Document("$group", new Document("_id", null).append("events", new Document("$sum", 1)));

    private final MongoDatabase administration;
    private final MongoCollection<Document> events;
    private final MongodbSearches searches;
    private final Duration timeout;
    private final ScheduledExecutorService watchers;
    private final Document rows;
    private final String name = "siemload " + UUID.randomUUID();

    MongodbSession(
            MongoClient client,
            MongoCollection<Document> events,
            MongodbSearches searches,
            Duration timeout,
            ScheduledExecutorService watchers) {
        super(ERRORS, timeout, watchers, Integer.toString(MongodbErrors.INTERRUPTED), READS);
        this.administration = client.getDatabase("admin");
        this.events = events;
        this.searches = searches;
        this.timeout = timeout;
        this.watchers = watchers;
        this.rows = searches.rows();
    }

    @Override
    public long search(Search search, RowReader reader) {
        Query query = searches.query(search);
        boolean isWhole = query.way() == Way.WHOLE;
        return run(() -> {
            MongoIterable<Document> found = found(query, isWhole ? Portions.ROWS : Portions.of(query.limit()), timeout);
            if (query.way() == Way.PAGE_BACKWARDS) {
                List<Document> page = found.into(new ArrayList<>());
                Collections.reverse(page);
                page.forEach(document -> reader.row(row(document)));
                return (long) page.size();
            }
            try (MongoCursor<Document> result = found.cursor()) {
                boolean isLong = isWhole || Portions.make(query.limit());
                return read(result, Long.MAX_VALUE, isLong ? stop.checked(reader) : reader);
            }
        });
    }

    private static long read(MongoCursor<Document> result, long most, RowReader reader) {
        long count = 0;
        for (; count < most && result.hasNext(); count++) {
            reader.row(row(result.next()));
        }
        return count;
    }

    @Override
    public long count(Search search) {
        List<Document> stages = List.of(new Document("$match", searches.conditions(search)), COUNT);
        return run(() -> {
            Document counted =
                    aggregated(stages, searches.hint(search), timeout).first();
            return counted == null ? 0 : BsonNotation.number(counted, "events");
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        List<Document> stages = searches.summed(search, summary);
        return run(() -> aggregated(stages, searches.hint(search), timeout)
                .map(line -> MongodbSearches.line(search, line))
                .into(new ArrayList<>()));
    }

    @Override
    public Plan explain(Search search) {
        return run(() -> {
            MongoIterable<Document> command;
            if (search.summary().isPresent()) {
                List<Document> stages = searches.summed(search, search.summary().orElseThrow());
                command = aggregated(stages, searches.hint(search), timeout);
            } else {
                Query query = searches.query(search);
                command = found(query, Portions.of(query.limit()), timeout);
            }
            return ExplainedPlan.of(
                    command instanceof FindIterable<?> find
                            ? find.explain(Document.class, ExplainVerbosity.EXECUTION_STATS)
                            : ((AggregateIterable<?>) command)
                                    .explain(Document.class, ExplainVerbosity.EXECUTION_STATS),
                    searches.timeKey());
        });
    }

    /** What the running operation is found by on the server. */
    private String comment() {
        return name + " " + number();
    }

    @Override
    protected Runnable stopping() {
        String comment = comment();
        return () -> watchers.execute(() -> kill(comment));
    }

    private void kill(String comment) {
        try {
            for (Document operation :
                    administration.aggregate(BsonNotation.command("running-operations", Map.of("comment", comment)))) {
                administration.runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
            }
        } catch (MongoException unreachable) {
            // The search itself meets the same trouble and reports it.
        }
    }

    /**
     * The rows of a search.
     *
     * @param batch how many come at once; 0 for as many as the server likes
     * @param most which the server is told; zero for a cursor, since it is for a whole one and not for a page
     */
    private MongoIterable<Document> found(Query query, int batch, Duration most) {
        if (query.way() == Way.LAST_PAGE) {
            return aggregated(searches.turned(query), query.hint(), most).batchSize(batch);
        }
        FindIterable<Document> find = events.find(query.filter())
                .projection(rows)
                .sort(query.sort())
                .skip(query.skip())
                .limit(query.limit())
                .batchSize(batch)
                .allowDiskUse(true)
                .comment(comment())
                .maxTime(most.toMillis(), MILLISECONDS);
        tell(query.hint(), find::hint, find::hintString);
        return find;
    }

    private AggregateIterable<Document> aggregated(List<Document> stages, Optional<String> hint, Duration most) {
        AggregateIterable<Document> found =
                events.aggregate(stages).allowDiskUse(true).comment(comment()).maxTime(most.toMillis(), MILLISECONDS);
        tell(hint, found::hint, found::hintString);
        return found;
    }

    /** The driver takes the name of an index and the natural order by different methods. */
    private static void tell(Optional<String> hint, Consumer<Bson> document, Consumer<String> index) {
        hint.ifPresent(name -> {
            if (name.equals(MongodbSearches.NATURAL)) {
                document.accept(new Document(name, 1));
            } else {
                index.accept(name);
            }
        });
    }

    /** What the block {@code rows} gives. */
    private static RowReader.Row row(Document found) {
        if (found.get("_id") instanceof String id
                && found.get("DetectMicros") instanceof Long micros
                && found.get("Event") instanceof Binary event) {
            return new DetachedRow(id, EventText.instant(micros), event.getData());
        }
        throw new MongoClientException(
                "the block rows gives a row in which _id is no string, DetectMicros no 64-bit integer,"
                        + " or Event no bytes");
    }

    /** By a cursor of the server. It is opened by the first page, whose size is that of every batch, unless that is too large. */
    @Override
    protected ResultCursor result(Search search) {
        Query query = searches.query(search.with(new Page.Whole()));
        return new ResultCursor() {
            private Optional<MongoCursor<Document>> result = Optional.empty();

            /** The server's own timeout is for a whole cursor, not for a page. */
            @Override
            public long next(int size, RowReader reader) {
                stop.scheduleDeadline();
                if (result.isEmpty()) {
                    result = Optional.of(
                            found(query, Portions.of(size), Duration.ZERO).cursor());
                }
                return read(result.orElseThrow(), size, stop.checked(reader));
            }

            @Override
            public void close() {
                result.ifPresent(MongoCursor::close);
            }
        };
    }

    /**
     * Reduces what {@code explain} says to what can be compared. Both engines and sharded clusters nest the same stages; a pipeline has
     * those that found its events in its first stage, or is one plan like any other where the engine does it all.
     */
    static final class ExplainedPlan {
        private static final Pattern FIRST_KEY = Pattern.compile("^\\{\\W*([^\":\\s]+)");
        private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
                .outputMode(JsonMode.RELAXED)
                .indent(true)
                .build();
        /** What has stages, too: plans that lost, how a plan went, and what was asked in how many parts. */
        private static final List<String> NO_PLAN =
                List.of("rejectedPlans", "executionStats", "command", "splitPipeline");

        private ExplainedPlan() {}

        /** @param timeKey what an index of the time begins with */
        static Plan of(Document explained, String timeKey) {
            JsonNode told = BsonNotation.json(explained);
            NO_PLAN.forEach(name -> told.findParents(name).forEach(parent -> ((ObjectNode) parent).remove(name)));
            List<Access> accesses = new ArrayList<>();
            boolean sorted = told.findValue("$sort") != null;
            for (JsonNode stage : told.findParents("stage")) {
                String name = stage.path("stage").asText();
                sorted |= name.equals("SORT");
                switch (name) {
                    case "COLLSCAN" -> accesses.add(new Access(Kind.TABLE, collection(told)));
                    case "IDHACK", "EXPRESS_CLUSTERED_IXSCAN", "CLUSTERED_IXSCAN" ->
                        accesses.add(new Access(Kind.ID_INDEX, "_id_"));
                    case "IXSCAN", "EXPRESS_IXSCAN", "COUNT_SCAN", "DISTINCT_SCAN" ->
                        accesses.add(index(stage, timeKey));
                    default -> {
                        // FETCH, LIMIT, PROJECTION_SIMPLE and the like: what is done with events that were found.
                    }
                }
            }
            // The server has no plan that several of its workers share.
            return new Plan(explained.toJson(READABLE), Plan.Format.JSON, accesses, sorted, false, Optional.empty());
        }

        /** Each shard has one of the same name. */
        private static String collection(JsonNode told) {
            JsonNode namespace = told.findPath("namespace");
            return namespace.asText().substring(namespace.asText().indexOf('.') + 1);
        }

        /** The key is a document, but the shortest plans of newer servers tell it as text: {@code { _id: 1 }}. */
        private static Access index(JsonNode stage, String timeKey) {
            String name = stage.path("indexName").asText();
            JsonNode pattern = stage.path("keyPattern");
            Matcher key = FIRST_KEY.matcher(pattern.isTextual() ? pattern.asText() : pattern.toString());
            String first = key.find() ? key.group(1) : name;
            if (first.equals("_id") || first.equals("_id_")) {
                return new Access(Kind.ID_INDEX, name);
            }
            return new Access(first.equals(timeKey) ? Kind.TIME_INDEX : Kind.FIELD_INDEX, name);
        }
    }
}
