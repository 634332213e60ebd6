package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.Binary;
import org.bson.types.ObjectId;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.layout.EventText;
import siemload.database.layout.ValueLines;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.mongodb.DocumentSearches.EventQuery;
import siemload.database.mongodb.DocumentSearches.Reading;
import siemload.database.server.DocumentSession;
import siemload.database.server.Portions;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * Runs searches, one at a time, each over a connection of the store's pool: find and count on siemload's own documents, and pipelines
 * alone on those of others, which are made into events first. None of it writes. Each carries a comment of its own, by which it is found
 * on the server when it is to be stopped.
 */
final class MongodbSession extends DocumentSession<MongoException> {
    private static final BsonTemplate RUNNING = BsonTemplate.command("running-operations");
    private static final Document COUNT =
            new Document("$group", new Document("_id", null).append(ValueLines.EVENTS, new Document("$sum", 1)));
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    private final MongoDatabase administration;
    private final MongoCollection<Document> events;
    private final DocumentSearches searches;
    private final Duration timeout;
    private final ScheduledExecutorService watchers;
    private final String name = "siemload " + UUID.randomUUID();

    MongodbSession(
            MongoClient client,
            MongoCollection<Document> events,
            DocumentSearches searches,
            Duration timeout,
            ScheduledExecutorService watchers) {
        super(ERRORS, timeout, watchers, Integer.toString(MongodbErrors.INTERRUPTED), MongodbCounters.READS);
        this.administration = client.getDatabase("admin");
        this.events = events;
        this.searches = searches;
        this.timeout = timeout;
        this.watchers = watchers;
    }

    @Override
    public long search(Search search, RowReader rows) {
        EventQuery query = searches.query(search);
        return run(() -> switch (query.reading()) {
            case PAGE -> read(found(query, query.limit(), timeout), rows);
            case PAGE_BACKWARDS -> {
                ArrayDeque<Document> page = new ArrayDeque<>();
                found(query, query.limit(), timeout).forEach(page::push);
                page.forEach(document -> rows.row(row(document)));
                yield (long) page.size();
            }
            case STREAM, STREAM_BACKWARDS -> read(found(query, Portions.ROWS, timeout), stop.checked(rows));
        });
    }

    private static long read(MongoIterable<Document> found, RowReader rows) {
        try (MongoCursor<Document> result = found.cursor()) {
            return read(result, Long.MAX_VALUE, rows);
        }
    }

    private static long read(MongoCursor<Document> result, long most, RowReader rows) {
        long count = 0;
        for (; count < most && result.hasNext(); count++) {
            rows.row(row(result.next()));
        }
        return count;
    }

    @Override
    public long count(Search search) {
        List<Document> stages =
                searches.layout().behindStages(List.of(new Document("$match", searches.filter(search)), COUNT));
        return run(() -> {
            Document counted = aggregated(stages, searches.hint(search)).first();
            return counted == null ? 0 : MongodbCounters.number(counted, ValueLines.EVENTS);
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        List<Document> stages = searches.summary(search, summary);
        return run(() -> aggregated(stages, searches.hint(search))
                .map(line -> DocumentSearches.line(search, line))
                .into(new ArrayList<>()));
    }

    @Override
    public Plan explain(Search search) {
        EventQuery query = searches.query(search);
        return explained(() -> found(query, query.limit(), timeout));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        List<Document> stages = searches.summary(search, summary);
        return explained(() -> aggregated(stages, searches.hint(search)));
    }

    private Plan explained(Supplier<MongoIterable<Document>> asked) {
        return run(() -> {
            MongoIterable<Document> command = asked.get();
            return ExplainedPlan.of(
                    command instanceof FindIterable<?> find
                            ? find.explain(Document.class, ExplainVerbosity.EXECUTION_STATS)
                            : ((AggregateIterable<?>) command)
                                    .explain(Document.class, ExplainVerbosity.EXECUTION_STATS),
                    searches.layout().timeKey());
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
            for (Document operation : administration.aggregate(RUNNING.pipeline(Map.of("comment", comment)))) {
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
    private MongoIterable<Document> found(EventQuery query, int batch, Duration most) {
        boolean isTurned = query.reading() == Reading.STREAM_BACKWARDS;
        if (isTurned || searches.layout().isForSearchesAlone()) {
            List<Document> stages = isTurned ? searches.turned(query) : searches.stages(query);
            AggregateIterable<Document> staged =
                    aggregated(stages, query.hint()).maxTime(most.toMillis(), MILLISECONDS);
            // An aggregation would first answer with nothing where a find without a size answers with as much as it
            // likes.
            return batch == 0 ? staged : staged.batchSize(batch);
        }
        FindIterable<Document> find = events.find(query.filter())
                .projection(searches.layout().rows())
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

    private AggregateIterable<Document> aggregated(List<Document> stages, Optional<String> hint) {
        AggregateIterable<Document> found = events.aggregate(stages)
                .allowDiskUse(true)
                .comment(comment())
                .maxTime(timeout.toMillis(), MILLISECONDS);
        tell(hint, found::hint, found::hintString);
        return found;
    }

    /** The driver takes the name of an index and the natural order by different methods. */
    private static void tell(Optional<String> hint, Consumer<Bson> document, Consumer<String> index) {
        hint.ifPresent(name -> {
            if (name.equals(DocumentSearches.NATURAL)) {
                document.accept(new Document(name, 1));
            } else {
                index.accept(name);
            }
        });
    }

    /** What the block {@code rows} gives. */
    private static RowReader.Row row(Document found) {
        Object id = found.get("_id");
        Object event = found.get("Event");
        boolean isNamed = id instanceof String || id instanceof ObjectId || id instanceof Integer || id instanceof Long;
        if (id != null && isNamed && found.get("DetectMicros") instanceof Long micros) {
            Instant time = EventText.instant(micros);
            if (event instanceof Binary bytes) {
                return new DetachedRow(id.toString(), time, bytes.getData());
            } else if (event instanceof String || event instanceof Document) {
                String text = event instanceof Document shown ? shown.toJson(RELAXED) : (String) event;
                return new DetachedRow(id.toString(), time, text.getBytes(StandardCharsets.UTF_8));
            }
        }
        throw new MongoClientException(
                "the block rows gives a row in which _id is no string, number or ObjectId, DetectMicros no 64-bit integer, or"
                        + " Event neither bytes nor text nor a document");
    }

    /** By a cursor of the server. It is opened by the first page, whose size is that of every batch, unless that is too large. */
    @Override
    protected ResultCursor result(Search search) {
        EventQuery query = searches.query(search.with(new Page.Whole()));
        return new ResultCursor() {
            private Optional<MongoCursor<Document>> result = Optional.empty();

            /** The server's own timeout is for a whole cursor, not for a page. */
            @Override
            public long next(int size, RowReader rows) {
                stop.scheduleDeadline();
                if (result.isEmpty()) {
                    result = Optional.of(
                            found(query, Portions.of(size), Duration.ZERO).cursor());
                }
                return read(result.orElseThrow(), size, stop.checked(rows));
            }

            @Override
            public void close() {
                result.ifPresent(MongoCursor::close);
            }
        };
    }

    /**
     * Reduces what {@code explain} says to what can be compared. Both engines and sharded clusters nest the same stages; a
     * pipeline has those that found its events in its first stage, or is one plan like any other where the engine does it all.
     */
    static final class ExplainedPlan {
        private static final Pattern FIRST_KEY = Pattern.compile("^\\{\\W*([^\":\\s]+)");
        private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
                .outputMode(JsonMode.RELAXED)
                .indent(true)
                .build();
        /** Where stages stand inside others; not the plans that lost, nor the program that a plan became. */
        private static final Set<String> INNER =
                Set.of("queryPlanner winningPlan queryPlan inputStage inputStages outerStage innerStage stages $cursor"
                        .split(" "));

        private final List<Access> accesses = new ArrayList<>();
        private final String timeKey;
        private boolean sorted;

        private ExplainedPlan(String timeKey) {
            this.timeKey = timeKey;
        }

        /** @param timeKey what an index of the time begins with */
        static Plan of(Document explained, String timeKey) {
            ExplainedPlan plan = new ExplainedPlan(timeKey);
            plan.visit(MongodbServer.json(explained), "events");
            String text = explained.toJson(READABLE);
            // The server has no plan that several of its workers share.
            return new Plan(text, Plan.Format.JSON, plan.accesses, plan.sorted, false, Optional.empty());
        }

        /** @param outer the collection, unless the node names one: each shard does for itself */
        private void visit(JsonNode node, String outer) {
            String collection =
                    node.has("namespace") ? node.path("namespace").asText().split("\\.", 2)[1] : outer;
            stage(node.path("stage").asText(), node, collection);
            sorted |= node.has("$sort");
            node.forEachEntry((key, value) -> {
                if (key.equals("shards") || (value.isArray() && INNER.contains(key))) {
                    value.forEach(part -> visit(part, collection));
                } else if (INNER.contains(key)) {
                    visit(value, collection);
                }
            });
        }

        private void stage(String name, JsonNode stage, String collection) {
            switch (name) {
                case "COLLSCAN" -> accesses.add(new Access(Kind.TABLE, collection));
                case "IDHACK", "EXPRESS_CLUSTERED_IXSCAN", "CLUSTERED_IXSCAN" ->
                    accesses.add(new Access(Kind.ID_INDEX, "_id_"));
                case "IXSCAN", "EXPRESS_IXSCAN", "COUNT_SCAN", "DISTINCT_SCAN" -> accesses.add(index(stage));
                case "SORT" -> sorted = true;
                default -> {
                    // FETCH, LIMIT, PROJECTION_SIMPLE and the like: what is done with events that were found.
                }
            }
        }

        /** The key is a document, but the shortest plans of newer servers tell it as text: {@code { _id: 1 }}. */
        private Access index(JsonNode stage) {
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
