package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import siemload.database.Counters;
import siemload.database.FirstNames;
import siemload.database.Hint;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Target.ServerClock;
import siemload.database.TargetException;
import siemload.database.layout.EventText;
import siemload.database.layout.ValueLines;
import siemload.database.mongodb.DocumentLayout.BsonTemplate;
import siemload.database.server.Portions;
import siemload.database.server.RunCopy;
import siemload.database.server.ServerStore;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/** The collection that a run searches, with the client of the run. */
abstract class MongodbStore extends ServerStore {
    final MongodbServer server;
    final MongoClient client;
    final Duration timeout;
    final DocumentSearches searches;
    final MongoCollection<Document> events;

    MongodbStore(MongodbServer server, RunCopy copy) {
        super(copy);
        this.server = server;
        this.client = server.connections().openTimed();
        this.timeout = server.connections().options().searchTimeout();
        this.searches = server.searches();
        this.events = client.getDatabase(server.connections().database()).getCollection(copy.name());
    }

    @Override
    public final SearchSession openSession() {
        return session(searches);
    }

    final MongodbSession session(DocumentSearches translated) {
        return new MongodbSession(client, events, translated, timeout, copy().watchers());
    }

    @Override
    public final void close() {
        client.close();
        super.close();
    }

    /** One that siemload has made. */
    static final class Copy extends MongodbStore {
        private static final BsonTemplate STATISTICS = BsonTemplate.command("counters-collection");

        Copy(MongodbServer server, RunCopy copy) {
            super(server, copy);
        }

        /**
         * Inserts batches with the server's own write concern. A batch is no transaction, which a server of its own does not
         * offer: one that failed may be stored in part, and is completed when it is written again.
         */
        @Override
        public EventSink openSink() {
            IdeaWriter writer = new IdeaWriter();
            return batch -> {
                EventDocuments documents = EventDocuments.of(batch, searches.layout(), writer);
                return ERRORS.answering(
                        timeout,
                        () -> ERRORS.unless(
                                Copy::areAllStored, () -> documents.insert(events), stored -> documents.bytes));
            };
        }

        /** Whether nothing went wrong but that some events were there already. */
        private static boolean areAllStored(MongoException e) {
            return e instanceof MongoBulkWriteException bulk
                    && bulk.getWriteConcernError() == null
                    && bulk.getWriteErrors().stream().allMatch(error -> error.getCode() == MongodbErrors.DUPLICATE_KEY);
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(MongodbCounters.of(client, Optional.of(events), timeout));
        }

        /** Of the server, or of the router, that answers. */
        @Override
        public Optional<ServerClock> openClock() {
            MongoDatabase admin = client.getDatabase("admin");
            return Optional.of(ServerClock.ofMillis(() -> ERRORS.answering(timeout, () -> MongodbServer.time(admin))));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            BsonTemplate presence = searches.layout().template("presence");
            return ERRORS.trying(
                    "look for events in " + copy().tables().place(),
                    () -> Portions.presence(
                            ids, some -> events.countDocuments(presence.document(Map.of("ids", some)))));
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return ERRORS.trying(
                    "read the size of " + copy().tables().place(),
                    () -> sizes(MongodbConnections.json(Objects.requireNonNullElseGet(
                            events.aggregate(STATISTICS.pipeline(Map.of())).first(), Document::new))));
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

        /** A pool finds out that its connections are broken when it uses one, and then throws all of them away. */
        @Override
        public void serverRestarted() {
            ERRORS.running(
                    "reach the restarted server",
                    () -> Stream.of(server.client(), client)
                            .forEach(pool -> pool.getDatabase("admin").runCommand(new Document("ping", 1))));
        }
    }

    /** One that was there before, by a layout without loading. Nothing but aggregations without a stage that writes is sent. */
    static final class Existing extends MongodbStore {
        private static final int SHOWN = 5;
        private static final String TIMES = "times";
        private static final String EVENTS = ValueLines.EVENTS;

        Existing(MongodbServer server) {
            super(server, RunCopy.existing(server.searches().layout().searched()));
            requireCollection(searches.layout().searched());
        }

        /** One that is not there answers with no row, as if all were well; users who may not see collections are not told. */
        private void requireCollection(String collection) {
            List<String> there = ERRORS.unless(any -> true, server::collections, unseen -> List.of());
            if (!there.isEmpty() && !there.contains(collection)) {
                close();
                throw new TargetException("there is no collection " + collection + " in the database "
                        + events.getNamespace().getDatabaseName() + " (there are: " + FirstNames.of(there, SHOWN)
                        + ")");
            }
        }

        @Override
        public SearchSession openSession(Hint hint) {
            return session(searches.with(hint));
        }

        @Override
        public Span span() {
            List<Document> lines = lines(TIMES, searches.times(), 2);
            if (lines.isEmpty() || whole(lines.get(0), EVENTS, TIMES) < 1) {
                throw new TargetException(TIMES + " finds no event: there is nothing to search");
            }
            Document line = lines.get(0);
            return new Span(time(line, "oldest"), time(line, "newest"), whole(line, EVENTS, TIMES));
        }

        private static Instant time(Document line, String key) {
            return EventText.instant(whole(line, key, TIMES + ", as DetectMicros of the block rows,"));
        }

        private static long whole(Document line, String key, String file) {
            if (line.get(key) instanceof Number number && number.longValue() == number.doubleValue()) {
                return number.longValue();
            }
            throw new TargetException(file + " gives as " + key + " " + shown(line.get(key))
                    + " (needed: a whole number; times are in microseconds since 1970)");
        }

        private static String shown(@Nullable Object value) {
            return value == null ? "nothing" : value + " (" + value.getClass().getSimpleName() + ")";
        }

        @Override
        public Map<ValueField, List<CountedValue>> values(int most) {
            Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
            searches.layout().values().forEach((field, query) -> values.put(field, values(field, query, most)));
            return values;
        }

        private List<CountedValue> values(ValueField field, List<Document> query, int most) {
            ValueLines values = new ValueLines(field);
            for (Document line : lines(values.place(), query, most)) {
                String value = text(line.get(ValueLines.VALUE))
                        .orElseThrow(() -> values.wrong("gives as value " + shown(line.get(ValueLines.VALUE))
                                + " (needed: text, a whole number or an ObjectId; leave others out by $match)"));
                Map<String, Optional<String>> beside = new HashMap<>();
                line.forEach((key, other) -> beside.put(key, text(other)));
                beside.keySet().removeAll(Set.of("_id", ValueLines.VALUE, EVENTS));
                values.add(value, whole(line, EVENTS, values.place()), beside);
            }
            return values.all();
        }

        private static Optional<String> text(@Nullable Object value) {
            if (value instanceof String || value instanceof ObjectId) {
                return Optional.of(value.toString());
            }
            return value instanceof Number number && number.longValue() == number.doubleValue()
                    ? Optional.of(Long.toString(number.longValue()))
                    : Optional.empty();
        }

        private List<Document> lines(String asked, List<Document> stages, int most) {
            try (MongodbSession session = session(searches)) {
                return session.lines(stages, most);
            } catch (SearchException wrong) {
                throw new TargetException(
                        asked + " failed in the collection "
                                + events.getNamespace().getFullName() + ": " + wrong.getMessage(),
                        wrong);
            }
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(MongodbCounters.of(client, Optional.empty(), timeout));
        }

        /** Writing operations on its collections, by {@code top}, for which a user needs the role clusterMonitor. */
        @Override
        public OptionalLong rowsWritten() {
            return ERRORS.unless(
                    any -> true,
                    () -> OptionalLong.of(written(
                            MongodbConnections.json(client.getDatabase("admin").runCommand(new Document("top", 1))),
                            events.getNamespace().getDatabaseName())),
                    untold -> OptionalLong.empty());
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
    }

    /**
     * Events on their way into the database.
     *
     * @param bytes their size as IDEA JSON
     */
    record EventDocuments(List<Document> documents, long bytes) {
        private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

        static EventDocuments of(List<SecurityEvent> batch, DocumentLayout layout, IdeaWriter writer) {
            List<Document> documents = new ArrayList<>(batch.size());
            long bytes = 0;
            for (SecurityEvent event : batch) {
                byte[] idea = writer.toBytes(event);
                bytes += idea.length;
                documents.add((Document) layout.document(event, idea));
            }
            return new EventDocuments(documents, bytes);
        }

        /** Stores them. @return their size */
        long insert(MongoCollection<Document> events) {
            if (!documents.isEmpty()) {
                events.insertMany(documents, UNORDERED);
            }
            return bytes;
        }
    }
}
