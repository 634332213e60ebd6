package siemload.database.postgresql.accounts;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads one table by COPY in its text form: the numbers of a row, a balance of 0 and an empty filler. Used by one thread, to which
 * the connection belongs meanwhile.
 */
final class AccountCopy implements AutoCloseable {
    private static final int PORTION_BYTES = 1 << 16;
    private static final int LONGEST_ROW = 64;
    private static final byte[] BALANCE_AND_FILLER = "0\t\n".getBytes(StandardCharsets.US_ASCII);

    private final CopyIn copy;
    private final byte[] portion = new byte[PORTION_BYTES];
    private int used;

    AccountCopy(Connection connection, String sql) throws SQLException {
        this.copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
    }

    /** Adds a row that begins with these numbers, none of them below 0. */
    void row(long... numbers) throws SQLException {
        if (used > PORTION_BYTES - LONGEST_ROW) {
            send();
        }
        for (long number : numbers) {
            byte[] digits = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(digits, 0, portion, used, digits.length);
            used += digits.length;
            portion[used++] = '\t';
        }
        System.arraycopy(BALANCE_AND_FILLER, 0, portion, used, BALANCE_AND_FILLER.length);
        used += BALANCE_AND_FILLER.length;
    }

    /** Stores what was added. */
    void end() throws SQLException {
        send();
        long unused = copy.endCopy();
    }

    private void send() throws SQLException {
        copy.writeToCopy(portion, 0, used);
        used = 0;
    }

    /** Gives up what was not ended. */
    @Override
    public void close() throws SQLException {
        if (copy.isActive()) {
            copy.cancelCopy();
        }
    }
}
