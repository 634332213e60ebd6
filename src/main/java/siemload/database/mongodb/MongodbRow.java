package siemload.database.mongodb;

import java.time.Instant;
import siemload.database.RowReader;

/** A document of a result, decoded; nobody changes the array. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record MongodbRow(String id, long detectMicros, byte[] idea) implements RowReader.Row {

    @Override
    public Instant detectTime() {
        return EventText.instant(detectMicros);
    }
}
