package siemload.database.sql;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import siemload.database.SearchSession.AskingSession;
import siemload.database.SearchSession.RowReader;

/**
 * The row of a statement of a user that a result stands at: of its columns nobody knows what they mean. Used by one thread.
 *
 * @param columns how many it has
 * @param reading gives equal values equal bytes
 */
public record StatementRow(ResultSet result, int columns, Reading reading, SqlErrors errors)
        implements AskingSession.AnsweredRow {

    /** How the columns of a database are read. */
    public enum Reading {
        /** As the server sends them. */
        BYTES,
        /** As the driver writes them. */
        TEXT
    }

    /** Hands over all rows of a result. @return how many there were */
    public static long readAll(ResultSet result, Reading reading, SqlErrors errors, RowReader rows)
            throws SQLException {
        StatementRow row = new StatementRow(result, result.getMetaData().getColumnCount(), reading, errors);
        long count = 0;
        for (; result.next(); count++) {
            rows.row(row);
        }
        return count;
    }

    /** Each column behind its length; a NULL is shorter than nothing. */
    @Override
    public byte[] idea() {
        return errors.attemptInRun(this::contents);
    }

    /** The columns of {@link #idea}, for people: {@code 17 | NULL | ann}; bytes that are no text as {@code \\x} and their digits. */
    public static String text(byte[] contents) {
        List<String> columns = new ArrayList<>();
        int at = 0;
        while (at < contents.length) {
            if (contents[at] == '-') {
                columns.add("NULL");
                at++;
                continue;
            }
            int length = 0;
            for (; contents[at] != ':'; at++) {
                length = 10 * length + contents[at] - '0';
            }
            columns.add(text(contents, at + 1, length));
            at += 1 + length;
        }
        return String.join(" | ", columns);
    }

    private static String text(byte[] contents, int from, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(contents, from, length))
                    .toString();
        } catch (CharacterCodingException binary) {
            return "\\x" + HexFormat.of().formatHex(contents, from, from + length);
        }
    }

    private byte[] contents() throws SQLException {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        for (int column = 1; column <= columns; column++) {
            byte[] value = value(column);
            if (result.wasNull()) {
                contents.write('-');
            } else {
                contents.writeBytes((value.length + ":").getBytes(StandardCharsets.US_ASCII));
                contents.writeBytes(value);
            }
        }
        return contents.toByteArray();
    }

    /** Nothing where it is NULL, as the result says then. */
    private byte[] value(int column) throws SQLException {
        return switch (reading) {
            case BYTES -> {
                byte[] bytes = result.getBytes(column);
                yield bytes == null ? new byte[0] : bytes;
            }
            case TEXT -> {
                String text = result.getString(column);
                yield text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            }
        };
    }
}
