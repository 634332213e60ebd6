package siemload.database.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import siemload.database.RowReader;
import siemload.database.sql.SqlStatement.RowReading;

/** The row that a result stands at. A value is decoded when it is asked for. */
record OracleRow(ResultSet result) implements RowReader.Row {

    @Override
    public String id() {
        return read(row -> ColumnValues.readId(row.getBytes(1)));
    }

    @Override
    public Instant detectTime() {
        return read(row -> ColumnValues.readTime(row.getObject(2, LocalDateTime.class)));
    }

    @Override
    public byte[] idea() {
        return read(row -> row.getBytes(3));
    }

    private <T> T read(RowReading<T> value) {
        try {
            return value.read(result);
        } catch (SQLException e) {
            throw OracleErrors.INSTANCE.inRun(e, Duration.ZERO, Duration.ofNanos(1));
        }
    }
}
