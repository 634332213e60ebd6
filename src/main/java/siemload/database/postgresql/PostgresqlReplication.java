package siemload.database.postgresql;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import siemload.database.Replica.Replication;
import siemload.database.ReplicationReading;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/** How far standbys of PostgreSQL are behind: of all of them on a primary, of itself on a standby. */
final class PostgresqlReplication implements Replication {
    private static final String IS_STANDBY = FILES.read("server/is-standby.sql").sql();
    private static final String OF_PRIMARY =
            FILES.read("server/replication-of-primary.sql").sql();
    private static final String OF_STANDBY =
            FILES.read("server/replication-of-standby.sql").sql();
    /** A reading is worth nothing when it comes late. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final RunConnection connection;
    private final LogPositions positions = new LogPositions();

    private PostgresqlReplication(RunConnection connection) {
        this.connection = connection;
    }

    static PostgresqlReplication open(PostgresqlConnections connections) {
        RunConnection connection =
                new RunConnection(connections.within(TIMEOUT).opening(), PostgresqlErrors.INSTANCE, TIMEOUT);
        return new PostgresqlReplication(
                connection.connected("see how far standbys of " + connections.where() + " are behind"));
    }

    @Override
    public ReplicationReading read() {
        return connection.answer(open -> {
            boolean standby = SqlStatement.row(connection.statement(IS_STANDBY), row -> row.getBoolean(1));
            return standby
                    ? SqlStatement.row(connection.statement(OF_STANDBY), PostgresqlReplication::ofStandby)
                    : SqlStatement.row(connection.statement(OF_PRIMARY), this::ofPrimary);
        });
    }

    private static ReplicationReading ofStandby(ResultSet row) throws SQLException {
        return row.getLong("receivers") == 0
                ? ReplicationReading.untold("this standby receives nothing from its primary")
                : ReplicationReading.of(1, seconds(row.getDouble("seconds")));
    }

    private ReplicationReading ofPrimary(ResultSet row) throws SQLException {
        long connected = row.getLong("connected");
        int standbys = row.getInt("standbys");
        if (connected == 0) {
            return ReplicationReading.untold("no standby is connected");
        }
        if (row.getLong("visible") == 0) {
            return ReplicationReading.untold(
                    "this user may not see how far standbys are behind (GRANT pg_read_all_stats TO this user)");
        }
        if (standbys == 0) {
            return ReplicationReading.untold(
                    "no standby is connected that replays the log (" + connected + " only take it)");
        }
        Duration counted = seconds(row.getDouble("counted_seconds"));
        Duration seen = positions.lag(System.nanoTime(), row.getLong("written"), row.getLong("replayed"));
        return ReplicationReading.of(standbys, counted.compareTo(seen) > 0 ? counted : seen);
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    @Override
    public void close() {
        connection.close();
    }

    /**
     * How far behind somebody is who follows a log, by how long ago its end was first seen beyond where he is. Precise to the time between
     * two looks, and never too much. Used by one thread.
     */
    static final class LogPositions {
        /** In the order of time and of the log; all of them beyond where he was last. */
        private final Deque<Seen> ahead = new ArrayDeque<>();

        /** Where the log ended at an instant. */
        private record Seen(long nanos, long end) {}

        /**
         * Takes one more look.
         *
         * @param nowNanos on the monotonic clock
         * @param end of the log, in bytes
         * @param follower how far he has come
         * @return how far he is behind
         */
        Duration lag(long nowNanos, long end, long follower) {
            if (ahead.isEmpty() || end > ahead.getLast().end()) {
                ahead.addLast(new Seen(nowNanos, end));
            }
            while (!ahead.isEmpty() && ahead.getFirst().end() <= follower) {
                ahead.removeFirst();
            }
            return ahead.isEmpty()
                    ? Duration.ZERO
                    : Duration.ofNanos(nowNanos - ahead.getFirst().nanos());
        }
    }
}
