package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.TargetPlugin.OwnCounts;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;

/**
 * The counts that a session has not handed in yet, which are its own, and since version 18 its log. A session hands them in when
 * it is between two transactions: a counted search runs in one that stays open until they have been read.
 */
final class PostgresqlOwnCounts implements OwnCounts {
    private static final int HANDS_IN_SINCE = 15;
    private static final int TELLS_LOG_SINCE = 18;
    private static final SqlStatement HAND_IN = FILES.read("server/hand-in-counts.sql");
    private static final SqlStatement BLOCKS = FILES.read("server/own-blocks.sql");
    private static final SqlStatement LOG = FILES.read("server/own-log.sql");

    private final RunConnection connection;
    private boolean started;
    private long logBytes;

    PostgresqlOwnCounts(RunConnection connection) {
        this.connection = connection;
    }

    /**
     * What was counted of tables and indexes.
     *
     * @param told whether the server counts at all
     */
    private record Blocks(boolean told, Io data, Io index) {
        static Blocks of(ResultSet row) throws SQLException {
            long size = row.getLong("block_size");
            return new Blocks(
                    row.getBoolean("track_counts"),
                    io(row.getLong("data_fetched"), row.getLong("data_hit"), size),
                    io(row.getLong("index_fetched"), row.getLong("index_hit"), size));
        }

        private static Io io(long fetched, long hit, long blockSize) {
            long read = Math.max(0, fetched - hit);
            return new Io(read, read * blockSize, 0, 0, hit);
        }
    }

    /** Has the server count for everybody what this session did. @return whether it can */
    static boolean handIn(RunConnection connection) throws SQLException {
        return connection.get().getMetaData().getDatabaseMajorVersion() >= HANDS_IN_SINCE
                && connection.statement(HAND_IN.sql()).execute();
    }

    /** Whether a transaction must stay open, since what is done in it is counted. */
    boolean isStarted() {
        return started;
    }

    /** Nothing is counted any more: what was done has failed. */
    void stop() {
        started = false;
    }

    @Override
    public boolean reset() {
        return connection.answer(open -> {
            boolean handedIn = handIn(connection);
            logBytes = logBytes(open);
            return handedIn;
        });
    }

    @Override
    public void start() {
        connection.answer(open -> {
            connection.begin();
            started = true;
            return started;
        });
    }

    @Override
    public Map<Category, Io> take() {
        return connection.answer(open -> {
            started = false;
            Blocks blocks = SqlStatement.row(connection.statement(BLOCKS.sql()), Blocks::of);
            connection.commit();
            return blocks.told() ? byCategory(blocks, open) : Map.of();
        });
    }

    private Map<Category, Io> byCategory(Blocks blocks, Connection open) throws SQLException {
        Map<Category, Io> io = new EnumMap<>(Category.class);
        io.put(Category.DATA, blocks.data());
        io.put(Category.INDEX, blocks.index());
        if (open.getMetaData().getDatabaseMajorVersion() >= TELLS_LOG_SINCE) {
            long before = logBytes;
            logBytes = logBytes(open);
            io.put(Category.REDO, new Io(0, 0, 0, logBytes - before, 0));
        }
        return io;
    }

    /** Written so far, as of what was handed in; 0 where the server does not tell it of a session. */
    private long logBytes(Connection open) throws SQLException {
        return open.getMetaData().getDatabaseMajorVersion() < TELLS_LOG_SINCE
                ? 0
                : SqlStatement.row(connection.statement(LOG.sql()), row -> row.getLong(1));
    }
}
