package siemload.database.postgresql.search;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import siemload.database.RowReader;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.connection.PostgresqlErrors.Attempt;

/** The row that a result stands at. A value is decoded when it is asked for. */
final class PostgresqlRow implements RowReader.Row {
    private static final int ID = 1;
    private static final int DETECT_TIME = 2;
    private static final int EVENT = 3;

    private final ResultSet result;

    /** A row that depends on no result any more. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Detached(String id, Instant detectTime, byte[] idea) implements RowReader.Row {}

    private PostgresqlRow(ResultSet result) {
        this.result = result;
    }

    /** Executes a statement and hands over its rows. @return how many there were */
    static long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        long count = 0;
        try (ResultSet result = statement.executeQuery()) {
            PostgresqlRow row = new PostgresqlRow(result);
            for (; result.next(); count++) {
                rows.row(row);
            }
        }
        return count;
    }

    @Override
    public String id() {
        return value(() -> result.getString(ID));
    }

    @Override
    public Instant detectTime() {
        return value(() -> result.getObject(DETECT_TIME, OffsetDateTime.class).toInstant());
    }

    @Override
    public byte[] idea() {
        return value(() -> result.getBytes(EVENT));
    }

    private static <T> T value(Attempt<T> reading) {
        try {
            return reading.result();
        } catch (SQLException e) {
            throw PostgresqlErrors.INSTANCE.inRun(e, Duration.ZERO, Duration.ofNanos(1));
        }
    }
}
