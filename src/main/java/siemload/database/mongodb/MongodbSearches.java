package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static siemload.database.mongodb.MongodbServer.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import siemload.database.Hint;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.Plan.Access;
import siemload.database.SearchSession.Plan.Access.Kind;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.Variant;
import siemload.database.layout.Blocks;
import siemload.database.layout.EventField.EventText;
import siemload.database.layout.JsonSearches;
import siemload.database.server.NamedServer.DocumentSession;
import siemload.database.server.Portions;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressMatches;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/** Translates searches into MongoDB's query language, using the layout, indexes and hint of a run. Immutable and thread-safe. */
final class MongodbSearches extends JsonSearches<Document> {
    /** The hint that replaces an index: the order in which the documents are stored. */
    static final String NATURAL = "$natural";

    private static final String TIME = "time";
    /** The key {@code _id} lets the server detect that an event is already stored. */
    static final Format FORMAT =
            new Format(
                    new MongodbPlugin().product(),
                    BsonNotation.NOTATION,
                    Map.of("_id", "id"),
                    Set.of(),
                    variant -> new MongodbSearches(variant)::translate) {
                @Override
                protected Optional<String> wrong(Blocks.Block block) {
                    return Stream.of("$out", "$merge")
                            .filter(stage -> JsonTemplate.hasKey(block, stage))
                            .findFirst()
                            .map(stage -> "has " + stage + ", which writes, but searches only read (remove it)")
                            .or(() -> super.wrong(block));
                }
            };

    private static final Pattern FIRST_KEY = Pattern.compile("^\\{\\W*([^\":\\s]+)");
    private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .indent(true)
            .build();
    /** Keys in the output of {@code explain} that hold stages but not the plan: rejected plans, statistics and parts of the query. */
    private static final List<String> NO_PLAN = List.of("rejectedPlans", "executionStats", "command", "splitPipeline");

    private final List<Document> indexes;
    private final Hint hint;

    /**
     * Creates the searches of a run, and reads a user's layout.
     *
     * @throws siemload.config.ConfigException with all problems of its files
     */
    MongodbSearches(Variant variant) {
        super(FORMAT, variant);
        this.indexes = find("indexes-" + variant.indexes().label())
                .map(set -> BsonNotation.documents(set.value(unused -> "")))
                .orElse(List.of());
        this.hint = variant.hint();
    }

    /** The same collection, for writing events as documents of the layout. */
    MongoCollection<Stored> writable(MongoCollection<?> events) {
        return events.withDocumentClass(Stored.class)
                .withCodecRegistry(CodecRegistries.fromCodecs(new EventCodec(this)));
    }

    /** The indexes of the run's set, each with name and key in the form of {@code createIndexes}. */
    List<Document> indexes() {
        return indexes;
    }

    /**
     * The query for the rows of a search.
     *
     * @param order of the rows
     * @param sort the order on the server; empty for any
     * @param skip how many events are skipped
     * @param limit how many are returned at most; 0 for all
     * @param hint the name of an index, or {@link #NATURAL}; empty for none
     */
    record Query(Way way, Order order, Document filter, Document sort, int skip, int limit, Optional<String> hint) {}

    Query query(Search search) {
        Slice<Document> slice = page(search);
        boolean isSingle = slice.way() == Way.SINGLE;
        return new Query(
                slice.way(),
                search.order(),
                all(slice.met()),
                isSingle
                        ? new Document()
                        : sorted(slice.way() == Way.LAST_PAGE ? slice.order().reversed() : slice.order()),
                // The driver skips no more than this; no store has more rows.
                (int) Math.min(slice.offset(), Integer.MAX_VALUE),
                isSingle ? 0 : slice.size(),
                hint(search));
    }

    private Document sorted(Order order) {
        return (Document) sort(order).orElseGet(Document::new);
    }

    /** The projection that makes a row from a document. */
    Document rows() {
        return (Document) constant("rows");
    }

    /** The stages that read a result from its end and reverse it; only for {@link Way#LAST_PAGE}. */
    List<Document> turned(Query query) {
        return List.of(
                new Document("$match", query.filter()),
                new Document("$sort", query.sort()),
                new Document("$limit", query.limit()),
                new Document("$sort", sorted(query.order())),
                new Document("$project", rows()));
    }

    @Override
    protected List<Document> summed(Search search, Summary summary) {
        return BsonNotation.documents(summed(search, summary, Map.of("conditions", conditions(search))));
    }

    /** Converts a line from the result of a summary's stages. */
    static Summary.Line line(Search search, Document line) {
        Instant from = line.get("start") instanceof Number micros
                ? EventText.instant(micros.longValue())
                : search.window().start();
        return new Summary.Line(from, value(line.get("value")), BsonNotation.number(line, "events"));
    }

    private static String value(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        } else if (value instanceof Binary address && Set.of(4, 16).contains(address.length())) {
            return AddressRange.ofBytes(address.getData()).toString();
        }
        throw new MongoClientException("a line of the summary has the value " + value
                + ", which is neither a string nor an address of 4 or 16 bytes");
    }

    /** The first sort key of documents; an index that begins with this key is a time index. */
    String timeKey() {
        return sorted(Order.NEWEST_FIRST).keySet().iterator().next();
    }

    /** Returns the hint for a search: the name of an index, or {@link #NATURAL}; empty for no hint. */
    Optional<String> hint(Search search) {
        if (!Hint.concerns(search)) {
            return Optional.empty();
        }
        return switch (hint) {
            case NONE -> Optional.empty();
            case FULL_SCAN -> Optional.of(NATURAL);
            case INDEX -> Optional.of(fieldIndex(search));
            case TIME_INDEX -> Optional.of(TIME);
            case FULL_SCAN_PARALLEL, FIRST_ROWS ->
                throw new IllegalArgumentException("MongoDB knows no hint '" + hint.label() + "'");
        };
    }

    /** The index of the field that usually finds the fewest events. */
    private String fieldIndex(Search search) {
        if (asks(search, one -> one instanceof AddressMatches || one instanceof Criterion.AddressAndPortOnOneSide)) {
            return "address";
        } else if (asks(search, one -> one.isAbout(CriterionKey.DETECTOR))) {
            return "detector";
        } else if (asks(search, one -> one.isAbout(CriterionKey.CATEGORY))) {
            return "category";
        }
        return asks(search, one -> one instanceof Criterion.PortUsed used && used.isSingle()) ? "port" : TIME;
    }

    private static boolean asks(Search search, Predicate<Criterion> wanted) {
        return search.criteria().stream().anyMatch(wanted);
    }

    /** A single condition is not nested, so that the server recognises a search by id. */
    @Override
    protected Document all(List<Document> parts) {
        List<Object> all = spliced("$and", parts);
        if (all.size() == 1) {
            return (Document) all.get(0);
        }
        return all.isEmpty() ? new Document() : new Document("$and", all);
    }

    /** Each alternative needs an index, and MongoDB uses no index for a nested alternative. */
    @Override
    protected Document any(List<Document> parts) {
        return new Document("$or", spliced("$or", parts));
    }

    /** The conditions, with nested uses of this operator flattened. */
    private static List<Object> spliced(String operator, List<Document> parts) {
        List<Object> spliced = new ArrayList<>();
        for (Document part : parts) {
            if (part.size() == 1 && part.get(operator) instanceof List<?> inner) {
                spliced.addAll(inner);
            } else {
                spliced.add(part);
            }
        }
        return spliced;
    }

    /** Adds to a condition on one side the condition on either side, which follows from it and has an index. */
    private Document withEither(EventSide side, Document exact, Document either) {
        return side == EventSide.EITHER ? exact : all(List.of(either, exact));
    }

    @Override
    protected Document addresses(List<AddressRange> anyOf, EventSide side) {
        return withEither(side, super.addresses(anyOf, side), super.addresses(anyOf, EventSide.EITHER));
    }

    @Override
    protected Document oneSide(Criterion.AddressAndPortOnOneSide both) {
        return withEither(
                EventSide.SOURCE, super.oneSide(both), super.addresses(List.of(both.address()), EventSide.EITHER));
    }

    @Override
    protected Document port(int port, EventSide side) {
        return withEither(side, super.port(port, side), super.port(port, EventSide.EITHER));
    }

    /**
     * Runs searches, one at a time, each over a connection of the store's pool. Searches never write. Each search has its own comment, by
     * which a cancellation finds it on the server.
     */
    final class MongodbSession extends DocumentSession<MongoException> {
        /** The name in the server's counters of the statement that stands for all reads of the collection. */
        static final String READS = "reads";

        private static final Document COUNT =
                new Document("$group", new Document("_id", null).append("events", new Document("$sum", 1)));

        private final MongoDatabase administration;
        private final MongoCollection<Document> events;
        private final Duration timeout;
        private final ScheduledExecutorService watchers;
        private final String name = "siemload " + UUID.randomUUID();

        MongodbSession(
                MongoClient client,
                MongoCollection<Document> events,
                Duration timeout,
                ScheduledExecutorService watchers) {
            super(ERRORS, timeout, watchers, Integer.toString(MongodbServer.MongodbErrors.INTERRUPTED), READS);
            this.administration = client.getDatabase("admin");
            this.events = events;
            this.timeout = timeout;
            this.watchers = watchers;
        }

        @Override
        public long search(Search search, RowReader reader) {
            Query query = query(search);
            boolean isWhole = query.way() == Way.WHOLE;
            return run(() -> {
                MongoIterable<Document> found =
                        found(query, isWhole ? Portions.ROWS : Portions.of(query.limit()), timeout);
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
            List<Document> stages = List.of(new Document("$match", conditions(search)), COUNT);
            return run(() -> {
                Document counted = aggregated(stages, hint(search), timeout).first();
                return counted == null ? 0 : BsonNotation.number(counted, "events");
            });
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            List<Document> stages = summed(search, summary);
            return run(() -> aggregated(stages, hint(search), timeout)
                    .map(line -> line(search, line))
                    .into(new ArrayList<>()));
        }

        @Override
        public Plan explain(Search search) {
            return run(() -> {
                Query query = query(search);
                MongoIterable<Document> command = search.summary().isPresent()
                        ? aggregated(summed(search, search.summary().orElseThrow()), hint(search), timeout)
                        : found(query, Portions.of(query.limit()), timeout);
                return plan(
                        command instanceof FindIterable<?> find
                                ? find.explain(Document.class, ExplainVerbosity.EXECUTION_STATS)
                                : ((AggregateIterable<?>) command)
                                        .explain(Document.class, ExplainVerbosity.EXECUTION_STATS),
                        timeKey());
            });
        }

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
                for (Document operation : administration.aggregate(
                        BsonNotation.command("running-operations", Map.of("comment", comment)))) {
                    administration.runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
                }
            } catch (MongoException unreachable) {
                // The search itself will fail in the same way and report the failure.
            }
        }

        /**
         * The rows of a search.
         *
         * @param batch how many rows come at once; 0 for the server's default
         * @param most the server's time limit; zero for a cursor, as it would apply to the whole cursor, not to a page
         */
        private MongoIterable<Document> found(Query query, int batch, Duration most) {
            if (query.way() == Way.LAST_PAGE) {
                return aggregated(turned(query), query.hint(), most).batchSize(batch);
            }
            FindIterable<Document> find = events.find(query.filter())
                    .projection(rows())
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
            AggregateIterable<Document> found = events.aggregate(stages)
                    .allowDiskUse(true)
                    .comment(comment())
                    .maxTime(most.toMillis(), MILLISECONDS);
            tell(hint, found::hint, found::hintString);
            return found;
        }

        /** The driver has different methods for the name of an index and the natural order. */
        private static void tell(Optional<String> hint, Consumer<Bson> document, Consumer<String> index) {
            hint.ifPresent(name -> {
                if (name.equals(NATURAL)) {
                    document.accept(new Document(name, 1));
                } else {
                    index.accept(name);
                }
            });
        }

        private static RowReader.Row row(Document found) {
            if (found.get("_id") instanceof String id
                    && found.get("DetectMicros") instanceof Long micros
                    && found.get("Event") instanceof Binary event) {
                return new DetachedRow(id, EventText.instant(micros), event.getData());
            }
            throw new MongoClientException(
                    "the block rows returns a row in which _id is not a string, DetectMicros is not a 64-bit integer,"
                            + " or Event is not binary");
        }

        /** Reads through a server cursor, opened for the first page. Batches have as many rows as that page, unless it is too large. */
        @Override
        protected ResultCursor result(Search search) {
            Query query = query(search.with(new Page.Whole()));
            return new ResultCursor() {
                private Optional<MongoCursor<Document>> result = Optional.empty();

                /** The server's own timeout would apply to the whole cursor, not to a page. */
                @Override
                public long next(int size, RowReader reader) {
                    return page(() -> {
                        if (result.isEmpty()) {
                            result = Optional.of(found(query, Portions.of(size), Duration.ZERO)
                                    .cursor());
                        }
                        return read(result.orElseThrow(), size, stop.checked(reader));
                    });
                }

                @Override
                public void close() {
                    result.ifPresent(MongoCursor::close);
                }
            };
        }
    }

    /**
     * Reduces the output of {@code explain} to what can be compared. Both query engines and sharded clusters nest the same stages. A
     * pipeline's first stage contains those that found its events; a pipeline that an engine executes as a whole has a single plan.
     *
     * @param timeKey the first key of a time index
     */
    static Plan plan(Document explained, String timeKey) {
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
                case "IXSCAN", "EXPRESS_IXSCAN", "COUNT_SCAN", "DISTINCT_SCAN" -> accesses.add(index(stage, timeKey));
                default -> {
                    // FETCH, LIMIT, PROJECTION_SIMPLE and similar stages work on events that other stages have found.
                }
            }
        }
        return new Plan(explained.toJson(READABLE), "json", accesses, sorted);
    }

    /** Returns the collection's name, which is the same on each shard. */
    private static String collection(JsonNode told) {
        JsonNode namespace = told.findPath("namespace");
        return namespace.asText().substring(namespace.asText().indexOf('.') + 1);
    }

    /** An index's key pattern is a document, but newer servers show it as text in their shortest plans: {@code { _id: 1 }}. */
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

    private record EventCodec(MongodbSearches searches) implements Codec<Stored> {
        @Override
        public Class<Stored> getEncoderClass() {
            return Stored.class;
        }

        @Override
        public void encode(BsonWriter writer, Stored event, EncoderContext context) {
            try {
                searches.write(event, new BsonOutput(writer));
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        @Override
        public Stored decode(BsonReader reader, DecoderContext context) {
            throw new UnsupportedOperationException("events are only written");
        }
    }

    /** Writes BSON. */
    private record BsonOutput(BsonWriter bson) implements JsonTemplate.Output {
        private static final CodecRegistry OTHERS = MongoClientSettings.getDefaultCodecRegistry();
        private static final EncoderContext CONTEXT = EncoderContext.builder().build();

        @Override
        public void startObject() {
            bson.writeStartDocument();
        }

        @Override
        public void key(String key) {
            bson.writeName(key);
        }

        @Override
        public void endObject() {
            bson.writeEndDocument();
        }

        @Override
        public void startList() {
            bson.writeStartArray();
        }

        @Override
        public void endList() {
            bson.writeEndArray();
        }

        @Override
        public void single(@Nullable Object raw) {
            Object value = BsonNotation.NOTATION.value(raw);
            if (value instanceof String text) {
                bson.writeString(text);
            } else if (value instanceof Integer number) {
                bson.writeInt32(number);
            } else if (value instanceof Long number) {
                bson.writeInt64(number);
            } else if (value instanceof Boolean flag) {
                bson.writeBoolean(flag);
            } else if (value instanceof BsonDateTime time) {
                bson.writeDateTime(time.getValue());
            } else if (value instanceof BsonBinary bytes) {
                bson.writeBinaryData(bytes);
            } else if (value == null) {
                bson.writeNull();
            } else {
                encode(OTHERS.get(value.getClass()), value);
            }
        }

        @SuppressWarnings("unchecked") // The codec is of the value's class.
        private <V> void encode(Codec<V> codec, Object value) {
            codec.encode(bson, (V) value, CONTEXT);
        }
    }

    /** Represents JSON as BSON: objects are {@link Document}s, addresses and events are bytes, times are in milliseconds. */
    enum BsonNotation implements JsonTemplate.Notation {
        NOTATION;

        private static final Blocks COMMANDS =
                Blocks.ofResource("/siemload/database/mongodb/server", Blocks.Syntax.JSON);
        private static final ObjectMapper JSON = JsonMapper.builder()
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .build();

        @Override
        public Map<String, Object> object() {
            return new Document();
        }

        @Override
        public @Nullable Object value(@Nullable Object value) {
            if (value instanceof AddressRange single) {
                return new BsonBinary(single.firstBytes());
            } else if (value instanceof Instant time) {
                return new BsonDateTime(time.toEpochMilli());
            }
            return value instanceof byte[] utf8 ? new BsonBinary(utf8) : JsonTemplate.Notation.super.value(value);
        }

        @Override
        public String pattern(String text) {
            return Pattern.quote(text);
        }

        /** Casts a list that is known to contain documents. */
        static List<Document> documents(Object list) {
            return ((List<?>) list).stream().map(Document.class::cast).toList();
        }

        /** The stages of one of siemload's own commands for this database, with its values. */
        static List<Document> command(String block, Map<String, ?> values) {
            return documents(JsonTemplate.read(COMMANDS.find(block).orElseThrow(), NOTATION)
                    .value(values::get));
        }

        /** A number in a document; 0 if it is missing, since servers omit numbers that they do not know. */
        static long number(Document document, String key) {
            return document.get(key) instanceof Number number ? number.longValue() : 0;
        }

        /** A server's answer as JSON; times are in milliseconds since 1970. */
        static JsonNode json(Map<String, ?> answer) {
            return JSON.valueToTree(answer);
        }
    }
}
