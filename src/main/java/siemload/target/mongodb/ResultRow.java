package siemload.target.mongodb;

import java.time.Instant;
import siemload.target.RowReader;

/** A document of a result, decoded; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record ResultRow(String id, long detectMicros, byte[] idea) implements RowReader.Row {

    @Override
    public Instant detectTime() {
        return EventText.instant(detectMicros);
    }
}
