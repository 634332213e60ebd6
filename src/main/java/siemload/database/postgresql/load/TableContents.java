package siemload.database.postgresql.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import siemload.database.postgresql.layout.Layout;

/**
 * What the tables of a data set hold: the rows of each, and a hash of what tells them apart that does not depend on their
 * order. So pages that a disk has lost show, which no index would miss. Changed bytes are left to the server's own checksums:
 * reading every column would take five times as long. Immutable.
 *
 * @param events the rows of the first table
 * @param summary {@code events 200000 1f0c..., events_json ...}
 */
public record TableContents(long events, String summary) {

    /** Reads all of them once. */
    public static TableContents of(Connection connection, Layout layout) throws SQLException {
        List<String> tables = new ArrayList<>();
        long events = 0;
        for (String table : layout.tables()) {
            long[] rowsAndHash =
                    layout.contents(table).row(connection, row -> new long[] {row.getLong(1), row.getLong(2)});
            events = tables.isEmpty() ? rowsAndHash[0] : events;
            tables.add(table + " " + rowsAndHash[0] + " " + Long.toHexString(rowsAndHash[1]));
        }
        return new TableContents(events, String.join(", ", tables));
    }
}
