package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.time.Duration;
import siemload.database.ReplicaPositions;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/** Where the log of PostgreSQL ends, and how far a standby has replayed it, over a connection to each. */
record PostgresqlReplicaPositions(RunConnection primary, RunConnection standby) implements ReplicaPositions {
    private static final String WRITTEN = FILES.read("server/log-written.sql").sql();
    private static final String REPLAYED = FILES.read("server/log-replayed.sql").sql();
    /** A reading is worth nothing when it comes late. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** @throws TargetException if either refuses */
    static PostgresqlReplicaPositions open(PostgresqlConnections primary, PostgresqlConnections standby) {
        RunConnection written = opened(primary);
        try {
            return new PostgresqlReplicaPositions(written, opened(standby));
        } catch (TargetException refused) {
            written.close();
            throw refused;
        }
    }

    private static RunConnection opened(PostgresqlConnections server) {
        RunConnection connection =
                new RunConnection(server.within(TIMEOUT).opening(), PostgresqlErrors.INSTANCE, TIMEOUT);
        return connection.connected("see how far the log of PostgreSQL at " + server.where() + " has come");
    }

    @Override
    public long written() {
        return position(primary, WRITTEN);
    }

    @Override
    public long replayed() {
        return position(standby, REPLAYED);
    }

    private static long position(RunConnection server, String question) {
        return server.answer(open -> SqlStatement.row(server.statement(question), row -> row.getLong(1)));
    }

    @Override
    public void close() {
        primary.close();
        standby.close();
    }
}
