package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.ResultSet;
import java.time.Instant;
import java.time.OffsetDateTime;
import siemload.database.ServerClock;
import siemload.database.sql.RunConnection;

/** The clock of the server, over a connection that stays open. */
record PostgresqlClock(RunConnection connection) implements ServerClock {

    @Override
    public Instant now() {
        return connection.answer(open -> {
            try (ResultSet row =
                    connection.statement(FILES.read("server/now.sql").sql()).executeQuery()) {
                row.next();
                return row.getObject(1, OffsetDateTime.class).toInstant();
            }
        });
    }

    @Override
    public void close() {
        connection.close();
    }
}
