package siemload.database.mongodb;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.connection.ClusterDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.TargetException;
import siemload.database.mongodb.command.CommandTemplate;
import siemload.database.mongodb.command.ReadingCommands;
import siemload.query.Statement;
import siemload.query.StatementText;

/** A database that was there before the run, which is asked commands that read. */
final class CommandStore extends ExistingMongodbStore implements StatementStore {
    /** What one session has read says nothing of what another one may read. */
    private static final ClientSessionOptions ALONE =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    private final AskedCommands commands;
    private final boolean hasSessions;

    /** @param cluster as whoever has connected to it sees it */
    CommandStore(MongodbConnections connections, ClusterDescription cluster, List<Statement> statements) {
        super(connections);
        this.hasSessions = cluster.getLogicalSessionTimeoutMinutes() != null;
        this.commands = new AskedCommands(statements);
    }

    @Override
    public SearchSession openSession() {
        return session();
    }

    private CommandSession session() {
        Optional<ClientSession> session = hasSessions ? Optional.of(client().startSession(ALONE)) : Optional.empty();
        return new CommandSession(client(), session, database(), commands, timeout(), watchers());
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

    private Optional<String> missing(BsonDocument command) {
        return ReadingCommands.collection(command).flatMap(this::missing);
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
}
