package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import siemload.database.RowReader;
import siemload.database.RowReader.DetachedRow;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.SqlStatement;

/**
 * A whole result by COPY, row by row as the server finds them: the one way of streaming rows that several workers found.
 * COPY takes no bound values, so they stand in the statement as literals.
 *
 * @param check is run before each row and may throw; the rest of the result is given up then
 */
record CopiedRows(Connection connection, Runnable check) {
    private static final int SIGNATURE_AND_FLAGS = 15;
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    /** Hands over all rows. @return how many there were */
    long readAll(PostgresqlSearchSql sql, RowReader rows) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        String copy = FILES.read("server/copy-rows.sql", Map.of("statement", withLiterals(sql, driver)))
                .sql();
        CopyOut out = driver.getCopyAPI().copyOut(copy);
        long count = 0;
        try {
            for (byte[] message = out.readFromCopy(); message != null; message = out.readFromCopy()) {
                ByteBuffer row = ByteBuffer.wrap(message);
                if (count == 0) {
                    skipHeader(row);
                }
                if (row.getShort() > 0) {
                    check.run();
                    rows.row(row(row));
                    count++;
                }
            }
            return count;
        } catch (RuntimeException e) {
            giveUp(out, driver);
            throw e;
        }
    }

    /** By hand: the driver's own {@code cancelCopy} stops reading before the server has stopped sending. */
    private static void giveUp(CopyOut out, PGConnection driver) throws SQLException {
        driver.cancelQuery();
        try {
            while (out.readFromCopy() != null) {
                // What was under way.
            }
        } catch (SQLException cancelled) {
            if (PostgresqlErrors.INSTANCE.isLost(cancelled)) {
                throw cancelled;
            }
        }
    }

    private static String withLiterals(PostgresqlSearchSql sql, PGConnection driver) throws SQLException {
        List<String> literals = new ArrayList<>();
        for (String value : sql.values()) {
            literals.add("'" + driver.escapeLiteral(value) + "'");
        }
        return SqlStatement.written(sql.text(), literals::get);
    }

    /** It comes with the first row, or with the end if there is none. */
    private static void skipHeader(ByteBuffer message) {
        message.position(SIGNATURE_AND_FLAGS);
        int extension = message.getInt();
        message.position(message.position() + extension);
    }

    private static RowReader.Row row(ByteBuffer columns) {
        String id = new String(bytes(columns), StandardCharsets.UTF_8);
        columns.getInt(); // the length of the time
        long micros = columns.getLong();
        return new DetachedRow(id, time(micros), bytes(columns));
    }

    private static Instant time(long micros) {
        if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
            return (micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN).toInstant();
        }
        return EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static byte[] bytes(ByteBuffer columns) {
        byte[] bytes = new byte[columns.getInt()];
        columns.get(bytes);
        return bytes;
    }
}
