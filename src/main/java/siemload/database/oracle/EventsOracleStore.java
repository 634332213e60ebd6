package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.server.Watchers;
import siemload.database.sql.RunConnection;
import siemload.database.sql.layout.EventQueries;
import siemload.database.sql.layout.QueriedEvents;

/**
 * Tables that were there before the run, whose events are searched by a layout without loading. Each search is a transaction of its
 * own, which begins as READ ONLY.
 */
final class EventsOracleStore implements QueriedEvents {
    private final OracleConnections connections;
    private final OracleLayout layout;
    private final Hint hint;
    private final OracleSearchStatements statements;
    private final ScheduledExecutorService watchers = Watchers.start();

    EventsOracleStore(OracleConnections connections, OracleLayout layout, Hint hint) {
        this.connections = connections;
        this.layout = layout;
        this.hint = hint;
        this.statements = OracleSearchStatements.ofOthers(layout, hint);
    }

    @Override
    public SearchSession openSession() {
        return session(statements);
    }

    @Override
    public SearchSession openSession(Hint other) {
        return session(other == hint ? statements : OracleSearchStatements.ofOthers(layout, other));
    }

    private SearchSession session(OracleSearchStatements written) {
        RunConnection connection = connections.ofRun().connected("open a session");
        return new OracleSession(connection, OracleAnswers.OF_OTHERS, written, connections.searchTimeout(), watchers);
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new OracleCounters(connections.ofRun(), CountedObjects.OF_USERS));
    }

    @Override
    public EventQueries queries() {
        RunConnection connection = connections.ofRun().connected("look at the events");
        Asking asking =
                new Asking(connection, new StoppableStatement(new Canceller(watchers, connection.timeout(), "")));
        return new EventQueries(asking, layout.texts(), "Oracle");
    }

    /** Asks in transactions that begin as READ ONLY. */
    private record Asking(RunConnection connection, StoppableStatement stoppable) implements EventQueries.Asking {
        @Override
        public <T> T ask(String query, EventQueries.Answer<T> answer) {
            return OracleConnections.reading(
                    connection, open -> stoppable.execute(connection.statement(query), answer::of));
        }

        @Override
        public Optional<String> insteadOf(String type) {
            return type.equals("DATE") || (type.startsWith("TIMESTAMP") && !type.contains("ZONE"))
                    ? Optional.empty()
                    : Optional.of(
                            "TIMESTAMP or DATE in UTC, which time.sql makes of a time with a zone by SYS_EXTRACT_UTC");
        }

        @Override
        public Instant time(ResultSet row, int column) throws SQLException {
            return ColumnValues.readTime(row.getObject(column, LocalDateTime.class));
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    @Override
    public void close() {
        watchers.shutdownNow();
    }
}
