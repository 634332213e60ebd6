package siemload.database.postgresql.search;

import static siemload.database.postgresql.connection.PostgresqlConnections.FILES;

import java.sql.SQLException;
import java.util.Map;
import siemload.database.RowReader;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.database.sql.RunConnection;

/**
 * The cursor of a session on the server. It lives in a transaction, which whoever uses it begins and ends; there is one at a
 * time. Used by one thread.
 */
record ServerCursor(RunConnection connection, Canceller canceller) {
    private static final String NEXT_PORTION = fetch(Portions.ROWS);

    /** The statement that opens a cursor for the rows of another one. */
    static String declaring(PostgresqlSearchSql sql) {
        return FILES.read("server/declare-cursor.sql", Map.of("statement", sql.text()))
                .sql();
    }

    private static String fetch(int rows) {
        return FILES.read("server/fetch-page.sql", Map.of("size", Integer.toString(rows)))
                .sql();
    }

    void open(PostgresqlSearchSql sql) throws SQLException {
        connection.statement(declaring(sql), sql.values()).execute();
    }

    /** Hands over the next rows, received at once. @return how many there were */
    long read(int size, RowReader rows) throws SQLException {
        return PostgresqlSession.ROWS.readAll(connection.statement(fetch(size)), rows);
    }

    /** The same in portions; between two of them only the client can see that time is up. */
    long readInPortions(int size, RowReader rows) throws SQLException {
        canceller.scheduleDeadline();
        RowReader checked = canceller.checked(rows);
        long count = 0;
        long came;
        int asked;
        do {
            asked = (int) Math.min(Portions.ROWS, size - count);
            String fetch = asked == Portions.ROWS ? NEXT_PORTION : fetch(asked);
            came = PostgresqlSession.ROWS.readAll(connection.statement(fetch), checked);
            count += came;
        } while (came == asked && count < size);
        return count;
    }
}
