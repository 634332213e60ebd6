package siemload.database.postgresql.search;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.postgresql.connection.PostgresqlErrors;

/** The row that a result stands at. A value is decoded when it is asked for. */
final class PostgresqlRow implements RowReader.Row {
    private static final int ID = 1;
    private static final int DETECT_TIME = 2;
    private static final int EVENT = 3;

    private final ResultSet result;

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
        try {
            return result.getString(ID);
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    @Override
    public Instant detectTime() {
        try {
            return result.getObject(DETECT_TIME, OffsetDateTime.class).toInstant();
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    @Override
    public byte[] idea() {
        try {
            return result.getBytes(EVENT);
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private static SearchException unreadable(SQLException e) {
        return PostgresqlErrors.inRun(e, Duration.ZERO, Duration.ofNanos(1));
    }
}
