package siemload.database;

import java.time.Instant;
import siemload.query.PageKey;

/** Takes the rows of a search, one by one, on the session's thread. */
@FunctionalInterface
public interface RowReader {

    /** Takes the next row; the row must not be used after this call returned. */
    void row(Row row);

    /** One row of a result, already received by the client. */
    interface Row {

        /** The event id. @throws UnsupportedOperationException for a row of a statement */
        String id();

        /** The detect time. @throws UnsupportedOperationException for a row of a statement */
        Instant detectTime();

        /** Where it stands in the order of its search. */
        default PageKey key() {
            return new PageKey(detectTime(), id());
        }

        /** The whole event as IDEA JSON in UTF-8, or all that a row of a statement has; the caller must not change the array. */
        byte[] idea();
    }

    /** A row that depends on no result, and so can be kept; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record DetachedRow(String id, Instant detectTime, byte[] idea) implements Row {
        /** A copy of a row that must not be used for long. */
        public static DetachedRow of(Row row) {
            return new DetachedRow(row.id(), row.detectTime(), row.idea());
        }
    }
}
