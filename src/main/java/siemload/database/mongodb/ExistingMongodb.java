package siemload.database.mongodb;

import static siemload.database.mongodb.MongodbErrors.ERRORS;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import siemload.database.Counters;
import siemload.database.ExistingEvents;
import siemload.database.ExistingEvents.Span;
import siemload.database.ExistingTarget;
import siemload.database.FirstNames;
import siemload.database.Hint;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.ServerUse;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.layout.EventText;
import siemload.database.layout.ValueLines;
import siemload.database.server.Canceller;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * The database of a MongoDB server that the url names, as it is. The server has no sessions that only read: users who may write are
 * refused, and nothing but aggregations without a stage that writes is sent.
 */
record ExistingMongodb(MongodbServer server, UserRights granted, DocumentSearches searches) implements ExistingTarget {

    static ExistingMongodb connect(MongodbConnections connections, TargetOptions options) {
        if (!connections.namesDatabase()) {
            throw new TargetException("the url does not say which database is asked (write it behind the host:"
                    + " mongodb://host:port/database)");
        }
        DocumentSearches searches = DocumentSearches.of(options.variant());
        return connections.connect(client -> {
            MongodbServer server = new MongodbServer(
                    connections, client, searches, options.variant().indexes());
            requireOneRouter(client.getClusterDescription());
            UserRights rights = UserRights.of(client.getDatabase("admin")
                    .runCommand(new Document("connectionStatus", 1).append("showPrivileges", true)));
            rights.refusal(connections.where()).ifPresent(why -> {
                throw new TargetException(why);
            });
            return new ExistingMongodb(server, rights, searches);
        });
    }

    /** Drivers choose a router for each command, and a cursor is read on where it was opened. */
    static void requireOneRouter(ClusterDescription cluster) {
        if (cluster.getType() == ClusterType.SHARDED
                && cluster.getServerDescriptions().size() > 1) {
            throw new TargetException(
                    "the url leads to several mongos, but results can be read to their end at one alone"
                            + " (name one of them: mongodb://host:port/database)");
        }
    }

    @Override
    public List<String> rights() {
        return granted.lines();
    }

    @Override
    public String kept() {
        return "an aggregation that writes nothing";
    }

    @Override
    public Optional<ServerUse> use() {
        return Optional.of(server.use(List.of()));
    }

    @Override
    public ExistingEvents openEvents() {
        return ERRORS.trying(
                "open the database at " + server.connections().where(),
                () -> new EventsMongodbStore(server.connections(), searches));
    }

    /**
     * What a user may do, by the answer of {@code connectionStatus} with {@code showPrivileges}. Immutable.
     *
     * @param user empty where the server knows of none
     * @param writing the actions that change data or the server, each with where it may be done
     * @param isTold whether the server tells rights at all
     */
    record UserRights(String user, List<String> writing, boolean isTold) {
        private static final int SHOWN = 3;

        /** Of the manual's privilege actions those that change something which outlives the connection. */
        private static final Set<String> WRITING = Set.of("""
                anyAction insert update remove bypassDocumentValidation applyOps bypassWriteBlockingMode collMod
                convertToCapped createCollection createIndex createSearchIndexes dropCollection dropDatabase dropIndex
                dropSearchIndex enableProfiler renameCollectionSameDB changeCustomData changePassword createRole
                createUser dropRole dropUser grantRole revokeRole killop killAnyCursor killAnySession fsync setParameter
                setUserWriteBlockMode shutdown replSetReconfig replSetStateChange internal""".split("\\s+"));

        UserRights {
            writing = List.copyOf(writing);
        }

        static UserRights of(Document status) {
            Document told = status.get("authInfo", new Document());
            List<Document> users = told.getList("authenticatedUsers", Document.class, List.of());
            TreeSet<String> writing = new TreeSet<>();
            for (Document privilege : told.getList("authenticatedUserPrivileges", Document.class, List.of())) {
                String where = where(privilege.get("resource", new Document()));
                privilege.getList("actions", String.class, List.of()).stream()
                        .filter(WRITING::contains)
                        .forEach(action -> writing.add(action + where));
            }
            return new UserRights(
                    users.isEmpty() ? "" : users.get(0).getString("user"),
                    List.copyOf(writing),
                    told.containsKey("authenticatedUserPrivileges"));
        }

        private static String where(Document resource) {
            if (!(resource.get("db") instanceof String database)) {
                return resource.containsKey("cluster") ? " on the cluster" : " anywhere";
            }
            String collection = resource.get("collection") instanceof String name ? name : "";
            return " on " + (database.isEmpty() ? "all databases" : database)
                    + (collection.isEmpty() ? "" : "." + collection);
        }

        /** Why such a user is not taken; empty if nothing speaks against it. */
        Optional<String> refusal(String where) {
            return writing.isEmpty()
                    ? Optional.empty()
                    : Optional.of("the user " + user + " may do more on MongoDB at " + where + " than read ("
                            + FirstNames.of(writing, SHOWN)
                            + "), and no session there can be kept from it; take a user that can only read, which an"
                            + " administrator makes by: db.createUser({user: 'siemload_reader', pwd: passwordPrompt(), roles:"
                            + " [{role: 'read', db: '" + where.replaceFirst(".*/", "")
                            + "'}, {role: 'clusterMonitor', db:"
                            + " 'admin'}]})");
        }

        /** What people should know of it, a line each. */
        List<String> lines() {
            if (user.isEmpty()) {
                return List.of(
                        "the server does not say who this is: without access control anybody may write there; siemload"
                                + " sends commands that are known to read, and no others");
            }
            return isTold
                    ? List.of()
                    : List.of("the server does not tell what the user " + user
                            + " may do; siemload sends commands that are" + " known to read, and no others");
        }
    }

    /** One whose documents are searched by a layout without loading. Nothing but aggregations without a stage that writes is sent. */
    static final class EventsMongodbStore implements ExistingEvents {
        private static final int SHOWN = 5;
        private static final String TIMES = "times";
        private static final String EVENTS = ValueLines.EVENTS;
        private static final List<String> WRITES = List.of("insert", "update", "remove");

        private final MongoClient client;
        private final String database;
        private final Duration timeout;
        private final ScheduledThreadPoolExecutor watchers;
        private final DocumentSearches searches;
        private final MongoCollection<Document> documents;

        EventsMongodbStore(MongodbConnections connections, DocumentSearches searches) {
            this.client = connections.openTimed();
            this.database = connections.database();
            this.timeout = connections.searchTimeout();
            this.watchers = Canceller.watchers();
            this.searches = searches;
            this.documents =
                    client.getDatabase(database).getCollection(searches.layout().searched());
            missing(searches.layout().searched()).ifPresent(why -> {
                close();
                throw new TargetException(why);
            });
        }

        @Override
        public SearchSession openSession() {
            return session(searches);
        }

        @Override
        public SearchSession openSession(Hint hint) {
            return session(searches.with(hint));
        }

        private MongodbSession session(DocumentSearches translated) {
            return new MongodbSession(client, documents, translated, timeout, watchers);
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
            if (value instanceof String text) {
                return Optional.of(text);
            } else if (value instanceof ObjectId id) {
                return Optional.of(id.toHexString());
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
                                + documents.getNamespace().getFullName() + ": " + wrong.getMessage(),
                        wrong);
            }
        }

        /** A collection that is not there answers with no row, as if all were well: why it is not asked; empty if it is there. */
        private Optional<String> missing(String collection) {
            List<String> there = collections();
            return there.isEmpty() || there.contains(collection)
                    ? Optional.empty()
                    : Optional.of("there is no collection " + collection + " in the database " + database
                            + " (there are: " + FirstNames.of(there, SHOWN) + ")");
        }

        /** Those of the database, with its views; none where the user may not see them. */
        private List<String> collections() {
            try {
                return client.getDatabase(database).listCollectionNames().into(new ArrayList<>()).stream()
                        .sorted()
                        .toList();
            } catch (MongoException unseen) {
                return List.of();
            }
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new MongodbCounters(client, Optional.empty(), timeout));
        }

        /** Writing operations on its collections, by {@code top}, for which a user needs the role clusterMonitor. */
        @Override
        public OptionalLong rowsWritten() {
            try {
                MongoDatabase administration = client.getDatabase("admin");
                return OptionalLong.of(written(administration.runCommand(new Document("top", 1)), database));
            } catch (MongoException untold) {
                return OptionalLong.empty();
            }
        }

        /** From the answer of {@code top}. */
        static long written(Document top, String database) {
            long written = 0;
            for (var counted : top.get("totals", new Document()).entrySet()) {
                if (counted.getKey().startsWith(database + ".") && counted.getValue() instanceof Document operations) {
                    for (String kind : WRITES) {
                        written += MongodbCounters.number(operations.get(kind, new Document()), "count");
                    }
                }
            }
            return written;
        }

        @Override
        public void close() {
            watchers.shutdownNow();
            client.close();
        }
    }
}
