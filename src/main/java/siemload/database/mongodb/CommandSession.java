package siemload.database.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import siemload.database.AskingSession;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.query.Search;

/** Asks commands of users, one at a time, each over a connection of the store's pool. All of them are known to read. */
final class CommandSession implements AskingSession {
    private final MongoDatabase database;
    private final Optional<ClientSession> session;
    private final AskedCommands commands;
    private final Duration timeout;
    private final StoppableOperation operation;

    /**
     * Opens one.
     *
     * @param session in which cursors are read on; empty for a server that knows no sessions
     * @param watchers carry out what stops a command
     */
    CommandSession(
            MongoClient client,
            Optional<ClientSession> session,
            String database,
            AskedCommands commands,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.database = client.getDatabase(database);
        this.session = session;
        this.commands = commands;
        this.timeout = timeout;
        this.operation = new StoppableOperation(client.getDatabase("admin"), timeout, watchers);
    }

    @Override
    public long search(Search search, RowReader rows) {
        BsonDocument command = commands.of(search);
        RowReader checked = operation.stop().checked(rows);
        return answered(command, answer -> {
            long count = 0;
            for (Optional<BsonValue> row = answer.next(); row.isPresent(); row = answer.next()) {
                checked.row(new CommandRow(row.get()));
                count++;
            }
            return count;
        });
    }

    /** The first rows of a command without parameters. */
    List<BsonValue> first(BsonDocument command, int most) {
        return answered(command, answer -> {
            List<BsonValue> rows = new ArrayList<>();
            while (rows.size() < most) {
                Optional<BsonValue> row = answer.next();
                if (row.isEmpty()) {
                    break;
                }
                rows.add(row.get());
            }
            return rows;
        });
    }

    private <T> T answered(BsonDocument command, Function<CommandAnswer.Rows, T> reading) {
        operation.begin();
        BsonDocument bounded = bounded(readable(command));
        return operation.answered(() -> {
            try (CommandAnswer.Rows answer = new CommandAnswer(database, session).to(bounded)) {
                return reading.apply(answer);
            }
        });
    }

    /** With the field that the server demands where a result may be large. */
    private static BsonDocument readable(BsonDocument command) {
        return command.getFirstKey().equals("aggregate") && !command.containsKey("cursor")
                ? command.append("cursor", new BsonDocument())
                : command;
    }

    private BsonDocument bounded(BsonDocument command) {
        return command.append("maxTimeMS", new BsonInt64(timeout.toMillis()))
                .append("comment", new BsonString(operation.comment()));
    }

    @Override
    public Plan explain(Search search) {
        return plan(commands.of(search), "executionStats");
    }

    @Override
    public Plan expect(Search search) {
        return plan(commands.of(search), "queryPlanner");
    }

    /** How the server means to answer a command; it answers nothing. */
    Plan expect(BsonDocument command) {
        return plan(command, "queryPlanner");
    }

    private Plan plan(BsonDocument command, String verbosity) {
        operation.begin();
        BsonDocument explaining =
                bounded(new BsonDocument("explain", readable(command)).append("verbosity", new BsonString(verbosity)));
        return operation.answered(() -> ExplainedPlan.of(
                session.isPresent()
                        ? database.runCommand(session.get(), explaining, Document.class)
                        : database.runCommand(explaining, Document.class)));
    }

    @Override
    public void cancel() {
        operation.cancel();
    }

    @Override
    public void close() {
        session.ifPresent(ClientSession::close);
    }
}
