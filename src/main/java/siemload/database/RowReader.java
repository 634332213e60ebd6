package siemload.database;

import java.time.Instant;

/** Takes the rows of a search, one by one, on the session's thread. */
@FunctionalInterface
public interface RowReader {

    /** Takes the next row; the row must not be used after this call returned. */
    void row(Row row);

    /** One row of a result, already received by the client. */
    interface Row {

        /** The event id. */
        String id();

        /** The detect time. */
        Instant detectTime();

        /** The whole event as IDEA JSON in UTF-8; the caller must not change the array. */
        byte[] idea();
    }
}
