package siemload.database.mongodb;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import siemload.database.Counters;
import siemload.database.FirstNames;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.mongodb.command.CommandTemplate;
import siemload.database.mongodb.command.ReadingCommands;
import siemload.database.mongodb.layout.JsonTemplate;
import siemload.query.Statement;
import siemload.query.StatementText;

/** A database that was there before the run, which is asked commands that read. */
final class CommandStore implements StatementStore {
    private static final int WATCHERS = 2;
    private static final int SHOWN = 5;
    private static final JsonTemplate LONG_RUNNING = JsonTemplate.read("server/long-operations.json");
    /** What one session has read says nothing of what another one may read. */
    private static final ClientSessionOptions ALONE =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    private static final List<String> WRITES = List.of("insert", "update", "remove");

    private final MongoClient client;
    private final String database;
    private final AskedCommands commands;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor watchers;
    private final boolean hasSessions;

    /** @param cluster as whoever has connected to it sees it */
    CommandStore(MongodbConnections connections, ClusterDescription cluster, List<Statement> statements) {
        this.hasSessions = cluster.getLogicalSessionTimeoutMinutes() != null;
        this.commands = new AskedCommands(statements);
        this.client = connections.openTimed();
        this.database = connections.database();
        this.timeout = connections.searchTimeout();
        this.watchers = new ScheduledThreadPoolExecutor(WATCHERS, task -> {
            Thread thread = new Thread(task, "siemload-watcher");
            thread.setDaemon(true);
            return thread;
        });
        watchers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public SearchSession openSession() {
        return session();
    }

    private CommandSession session() {
        Optional<ClientSession> session = hasSessions ? Optional.of(client.startSession(ALONE)) : Optional.empty();
        return new CommandSession(client, session, database, commands, timeout, watchers);
    }

    /**
     * First by what is known of commands, since the server would let them write, then by the server. Of a command with parameters it is
     * told one with values that somebody made up, which may be wrong where others are right: then it is believed that the user may not
     * ask, and nothing else.
     */
    @Override
    public Optional<String> refusal(Statement statement) {
        CommandTemplate template;
        try {
            template = CommandTemplate.of(statement.text());
        } catch (IllegalArgumentException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
        return ReadingCommands.refusal(template)
                .or(() -> missing(template.example()))
                .or(() -> refusalByServer(
                        template.example(), statement.text().parameters().isEmpty()));
    }

    /** A collection that is not there answers with no row, as if all were well. */
    private Optional<String> missing(BsonDocument command) {
        Optional<String> collection = ReadingCommands.collection(command);
        if (collection.isEmpty()) {
            return Optional.empty();
        }
        List<String> there = collections();
        return there.isEmpty() || there.contains(collection.get())
                ? Optional.empty()
                : Optional.of("there is no collection " + collection.get() + " in the database " + database
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

    private Optional<String> refusalByServer(BsonDocument example, boolean isWhole) {
        try (CommandSession session = session()) {
            return session.expect(example).text().isEmpty()
                    ? Optional.of("the server has no plan for it")
                    : Optional.empty();
        } catch (SearchException wrong) {
            boolean isForbidden = wrong.code().equals(Integer.toString(MongodbErrors.UNAUTHORIZED));
            boolean cannotExplain = wrong.code().equals(Integer.toString(MongodbErrors.COMMAND_NOT_FOUND));
            return isForbidden || (isWhole && !cannotExplain)
                    ? Optional.of("the server says: " + wrong.getMessage()
                            + (wrong.code().isEmpty() ? "" : " (code " + wrong.code() + ")"))
                    : Optional.empty();
        }
    }

    @Override
    public List<String> values(String query, int most) {
        CommandTemplate template;
        try {
            template = CommandTemplate.of(
                    StatementText.scan(StatementText.Language.COMMAND, query).statement());
        } catch (IllegalArgumentException wrong) {
            throw new TargetException("a query for values: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
        ReadingCommands.refusal(template).or(() -> missing(template.example())).ifPresent(why -> {
            throw new TargetException("a query for values cannot be asked: " + why + " (" + query + ")");
        });
        try (CommandSession session = session()) {
            List<String> values = new ArrayList<>();
            for (BsonValue row : session.first(template.example(), most)) {
                values.add(AskedValue.text(row, values.size() + 1, query));
            }
            return values;
        } catch (SearchException wrong) {
            throw new TargetException("a query for values failed: " + wrong.getMessage() + " (" + query + ")", wrong);
        }
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new MongodbCounters(client, Optional.empty(), timeout));
    }

    @Override
    public OptionalLong runningFor(Duration atLeast) {
        try {
            Document counted = client.getDatabase("admin")
                    .aggregate(LONG_RUNNING.pipeline(
                            Map.of("database", "^\\Q" + database + "\\E[.]", "micros", atLeast.toNanos() / 1_000)))
                    .first();
            return OptionalLong.of(counted == null ? 0 : WiredTigerCounters.number(counted, "running"));
        } catch (MongoException untold) {
            return OptionalLong.empty();
        }
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
                    written += WiredTigerCounters.number(operations.get(kind, new Document()), "count");
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
