package siemload.database.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.sql.RunConnection;
import siemload.database.sql.layout.EventQueries;

/** Asks in transactions that begin as READ ONLY. */
public final class EventAsking implements EventQueries.Asking {
    private static final String TIME_TYPE = "timestamptz";

    private final RunConnection connection;
    private final StoppableWork stoppable;

    /** @param watchers carry out what stops a query */
    public EventAsking(RunConnection connection, ScheduledExecutorService watchers) {
        this.connection = connection;
        this.stoppable = new StoppableWork(connection, watchers);
    }

    @Override
    public <T> T ask(String query, EventQueries.Answer<T> answer) {
        return stoppable.transaction(true, open -> answer.of(connection.statement(query)));
    }

    @Override
    public Optional<String> insteadOf(String type) {
        return type.equals(TIME_TYPE)
                ? Optional.empty()
                : Optional.of(TIME_TYPE + ", which time.sql makes of a timestamp by AT TIME ZONE 'UTC'");
    }

    @Override
    public Instant time(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    @Override
    public void close() {
        connection.close();
    }
}
