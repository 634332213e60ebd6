package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import siemload.database.RowReader;
import siemload.database.SearchException;

/** The row that a result stands at. A value is decoded when it is asked for. */
record OracleRow(ResultSet result) implements RowReader.Row {

    @Override
    public String id() {
        try {
            return ColumnValues.readId(result.getBytes(1));
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    @Override
    public Instant detectTime() {
        try {
            return ColumnValues.readTime(result.getObject(2, LocalDateTime.class));
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    @Override
    public byte[] idea() {
        try {
            return result.getBytes(3);
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private static SearchException unreadable(SQLException e) {
        return OracleErrors.INSTANCE.inRun(e, Duration.ZERO, Duration.ofNanos(1));
    }
}
