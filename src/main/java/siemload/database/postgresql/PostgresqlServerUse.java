package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import siemload.database.ServerUse;
import siemload.database.ServerUseSampler;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.sql.SqlStatement;

/** Finds out who uses a server, over one connection. Used by one thread. */
final class PostgresqlServerUse {
    private static final SqlStatement SESSIONS = SqlTemplate.read("server/other-sessions.sql");
    private static final SqlStatement TRANSACTIONS = SqlTemplate.read("server/transactions.sql");

    private final Connection connection;
    private final List<String> others = new ArrayList<>();
    private boolean hidden;

    private PostgresqlServerUse(Connection connection) {
        this.connection = connection;
    }

    /**
     * Takes about a second.
     *
     * @param registry the name of the database of the registry
     */
    static ServerUse at(PostgresqlConnections connections, String registry) {
        return connections
                .quick()
                .get(
                        "see who uses PostgreSQL at " + connections.where(),
                        connection -> new PostgresqlServerUse(connection).use(registry));
    }

    private ServerUse use(String registry) throws SQLException {
        ServerUseSampler.Seen seen = new ServerUseSampler(this::working, this::transactions).look();
        List<String> gaps = new ArrayList<>();
        if (hidden) {
            gaps.add("what others do (GRANT pg_read_all_stats TO this user)");
        }
        return new ServerUse(
                List.of(
                        "a database siemload_data_... for the data set, kept for later runs",
                        "a database siemload_run_..., a copy of it, dropped at the end",
                        "a database " + registry + " that lists what it has made, 8 MB, kept"),
                directory(),
                OptionalLong.empty(),
                others,
                seen.working(),
                seen.perSecond(),
                gaps);
    }

    private double working() {
        others.clear();
        return PostgresqlErrors.attempt("cannot see who is connected", () -> SESSIONS.rows(connection, this::look))
                .stream()
                .mapToLong(working -> working)
                .sum();
    }

    /** Takes one kind of sessions; answers how many of them are at work. */
    private long look(ResultSet row) throws SQLException {
        hidden |= row.getBoolean("hidden");
        long sessions = row.getLong("sessions");
        others.add(row.getString("program") + " of " + row.getString("who") + " on " + row.getString("database")
                + (sessions == 1 ? "" : " (" + sessions + " sessions)"));
        return row.getLong("working");
    }

    private long transactions() {
        return PostgresqlErrors.attempt(
                "cannot see how many transactions there are", () -> TRANSACTIONS.number(connection));
    }

    /** Where the user may not see it there is no row. */
    private String directory() throws SQLException {
        return String.join("", SqlTemplate.read("server/data-directory.sql").rows(connection, row -> row.getString(1)));
    }
}
