package siemload.database.postgresql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import siemload.database.ServerUse;
import siemload.database.ServerUseSampler;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.SqlTemplate;

/** Finds out who uses a server, over one connection. Used by one thread. */
final class PostgresqlServerUse {
    private static final String SESSIONS =
            SqlTemplate.read("server/other-sessions.sql").sql();
    private static final String TRANSACTIONS =
            SqlTemplate.read("server/transactions.sql").sql();

    private final Statement statement;
    private final List<String> others = new ArrayList<>();
    private boolean hidden;

    private PostgresqlServerUse(Statement statement) {
        this.statement = statement;
    }

    /** Takes about a second. */
    static ServerUse at(PostgresqlConnections connections, long user) {
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement()) {
            return new PostgresqlServerUse(statement).use(user);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot see who uses PostgreSQL at " + connections.where(), e);
        }
    }

    private ServerUse use(long user) throws SQLException {
        ServerUseSampler.Seen seen = new ServerUseSampler(this::working, this::transactions).look();
        List<String> gaps = new ArrayList<>();
        if (hidden) {
            gaps.add("what others do (GRANT pg_read_all_stats TO this user)");
        }
        return new ServerUse(
                List.of(
                        "a database siemload_data_... for the data set, kept for later runs",
                        "a database siemload_run_..., a copy of it, dropped at the end",
                        "a database " + RegistryDatabase.name(user) + " that lists what it has made, 8 MB, kept"),
                directory(),
                OptionalLong.empty(),
                others,
                seen.working(),
                seen.perSecond(),
                gaps);
    }

    private double working() {
        others.clear();
        long working = 0;
        try (ResultSet rows = statement.executeQuery(SESSIONS)) {
            while (rows.next()) {
                hidden |= rows.getBoolean("hidden");
                working += rows.getLong("working");
                long sessions = rows.getLong("sessions");
                others.add(rows.getString("program") + " of " + rows.getString("who") + " on "
                        + rows.getString("database") + (sessions == 1 ? "" : " (" + sessions + " sessions)"));
            }
            return working;
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot see who is connected", e);
        }
    }

    private long transactions() {
        try (ResultSet row = statement.executeQuery(TRANSACTIONS)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw PostgresqlErrors.outsideRun("cannot see how many transactions there are", e);
        }
    }

    /** Where the user may not see it there is no row. */
    private String directory() throws SQLException {
        try (ResultSet row = statement.executeQuery(
                SqlTemplate.read("server/data-directory.sql").sql())) {
            return row.next() ? row.getString(1) : "";
        }
    }
}
