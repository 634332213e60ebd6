package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import siemload.database.SearchSession.RowReader;
import siemload.database.sql.SqlStatement.RowReading;

/**
 * The rows of searches: an id, a detect time, and the event as IDEA JSON, the third column. A value is decoded when it is asked
 * for. Immutable and thread-safe.
 *
 * @param id reads the first column
 * @param detectTime reads the second column
 */
public record SearchRows(RowReading<String> id, RowReading<Instant> detectTime, SqlErrors errors) {
    private static final int EVENT = 3;

    /** Executes a statement and hands over its rows. @return how many there were */
    public long readAll(PreparedStatement statement, RowReader rows) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            return readAll(result, rows);
        }
    }

    /** Hands over the rows of a result. @return how many there were */
    public long readAll(ResultSet result, RowReader rows) throws SQLException {
        SearchRow row = new SearchRow(result, this);
        long count = 0;
        for (; result.next(); count++) {
            rows.row(row);
        }
        return count;
    }

    /** The row that a result stands at. */
    private record SearchRow(ResultSet result, SearchRows columns) implements RowReader.Row {
        @Override
        public String id() {
            return value(columns.id);
        }

        @Override
        public Instant detectTime() {
            return value(columns.detectTime);
        }

        @Override
        public byte[] idea() {
            return value(row -> row.getBytes(EVENT));
        }

        private <T> T value(RowReading<T> reading) {
            return columns.errors.attemptInRun(() -> reading.read(result));
        }
    }
}
