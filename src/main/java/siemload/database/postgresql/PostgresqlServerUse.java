package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import siemload.database.ServerUse;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.server.ServerUseSurvey;
import siemload.database.server.ServerUseSurvey.Client;
import siemload.database.server.ServerUseSurvey.Question;
import siemload.database.sql.SqlStatement.RowReading;

/** Finds out who uses a server, over one connection. Used by one thread. */
record PostgresqlServerUse(Connection connection) {
    private static final String HIDDEN = "what others do (GRANT pg_read_all_stats TO this user)";
    private static final String EVERYBODY_MAY_ASK = "";

    /**
     * Takes about a second.
     *
     * @param registry the name of the database of the registry
     */
    static ServerUse at(PostgresqlConnections connections, String registry) {
        return at(
                connections,
                List.of(
                        "a database siemload_data_... for the data set, kept for later runs",
                        "a database siemload_run_..., a copy of it, dropped at the end",
                        "a database " + registry + " that lists what it has made, 8 MB, kept"));
    }

    /** The same for a run that makes these things there, or none. */
    static ServerUse at(PostgresqlConnections connections, List<String> makes) {
        return connections
                .quick()
                .get(
                        "see who uses PostgreSQL at " + connections.where(),
                        connection -> new PostgresqlServerUse(connection).use(makes));
    }

    private ServerUse use(List<String> makes) {
        return ServerUseSurvey.of(
                makes,
                // Where the user may not see it there is no row.
                String.join("", rows("see the data directory", "data-directory", row -> row.getString(1))),
                new Question<>(
                        () -> rows("see who is connected", "other-sessions", PostgresqlServerUse::client),
                        List.of(),
                        EVERYBODY_MAY_ASK),
                new Question<>(
                        () -> rows("see how many transactions there are", "transactions", row -> row.getLong(1))
                                .get(0),
                        0L,
                        EVERYBODY_MAY_ASK),
                new Question<>(OptionalLong::empty, OptionalLong.empty(), EVERYBODY_MAY_ASK));
    }

    private static Client client(ResultSet row) throws SQLException {
        long sessions = row.getLong("sessions");
        String name = row.getString("program") + " of " + row.getString("who") + " on " + row.getString("database")
                + (sessions == 1 ? "" : " (" + sessions + " sessions)");
        return new Client(name, row.getLong("working"), row.getBoolean("hidden") ? HIDDEN : "");
    }

    private <T> List<T> rows(String tried, String file, RowReading<T> reading) {
        return PostgresqlErrors.INSTANCE.attempt(
                tried, () -> FILES.read("server/" + file + ".sql").rows(connection, reading));
    }
}
