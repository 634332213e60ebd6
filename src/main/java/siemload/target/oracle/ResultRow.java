package siemload.target.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import siemload.target.RowReader;
import siemload.target.SearchException;

/** The row that a result stands at. A value is decoded when it is asked for. */
record ResultRow(ResultSet result) implements RowReader.Row {

    @Override
    public String id() {
        try {
            return StoredForm.readId(result.getBytes(1));
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    @Override
    public Instant detectTime() {
        try {
            return StoredForm.readTime(result.getObject(2, LocalDateTime.class));
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
        return SqlErrors.inRun(e, Duration.ZERO, Duration.ofNanos(1));
    }
}
