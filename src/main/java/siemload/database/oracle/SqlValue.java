package siemload.database.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/** A value of a search. Bound to run it; written out only to have it explained, since the planner looks into values. */
sealed interface SqlValue {

    void bind(PreparedStatement statement, int place) throws SQLException;

    /** The value in SQL. */
    String literal();

    record Text(String text) implements SqlValue {
        @Override
        public void bind(PreparedStatement statement, int place) throws SQLException {
            statement.setString(place, text);
        }

        @Override
        public String literal() {
            return "'" + text.replace("'", "''").replace("\0", "' || CHR(0) || '") + "'";
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Bytes(byte[] bytes) implements SqlValue {
        @Override
        public void bind(PreparedStatement statement, int place) throws SQLException {
            statement.setBytes(place, bytes);
        }

        @Override
        public String literal() {
            return "HEXTORAW('" + HexFormat.of().withUpperCase().formatHex(bytes) + "')";
        }
    }

    record Time(LocalDateTime time) implements SqlValue {
        private static final DateTimeFormatter LITERAL =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

        @Override
        public void bind(PreparedStatement statement, int place) throws SQLException {
            statement.setObject(place, time);
        }

        @Override
        public String literal() {
            return "TIMESTAMP '" + LITERAL.format(time) + "'";
        }
    }

    record WholeNumber(long number) implements SqlValue {
        @Override
        public void bind(PreparedStatement statement, int place) throws SQLException {
            statement.setLong(place, number);
        }

        @Override
        public String literal() {
            return Long.toString(number);
        }
    }
}
