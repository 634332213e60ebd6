package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import siemload.database.Counters.CheckpointCounters;
import siemload.database.Counters.CheckpointReading;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/** Reads the views about checkpoints, which differ by version. */
final class PostgresqlCheckpoints implements CheckpointCounters {
    private static final int COUNTS_DONE_SINCE = 18;
    private static final int OWN_VIEW_SINCE = 17;

    private final RunConnection connection;

    PostgresqlCheckpoints(RunConnection connection) {
        this.connection = connection;
    }

    @Override
    public CheckpointReading read() {
        return connection.answer(open -> {
            int version = open.getMetaData().getDatabaseMajorVersion();
            try (ResultSet row = connection.statement(question(version).sql()).executeQuery()) {
                return reading(row);
            }
        });
    }

    /** What to ask a server of such a version. */
    static SqlStatement question(int version) {
        return FILES.read("server/" + file(version) + ".sql");
    }

    /** The only row of its answer. */
    static CheckpointReading reading(ResultSet row) throws SQLException {
        row.next();
        return new CheckpointReading(
                row.getLong("completed"),
                OptionalDouble.of(row.getDouble("seconds")),
                number(row, "by_checkpoints"),
                number(row, "by_writer"),
                number(row, "by_sessions"));
    }

    private static String file(int version) {
        if (version >= COUNTS_DONE_SINCE) {
            return "checkpoints";
        }
        return version >= OWN_VIEW_SINCE ? "checkpoints-17" : "checkpoints-before-17";
    }

    private static OptionalLong number(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
    }

    @Override
    public void close() {
        connection.close();
    }
}
