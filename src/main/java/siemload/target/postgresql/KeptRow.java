package siemload.target.postgresql;

import java.time.Instant;
import siemload.target.RowReader;

/** A row that outlives its result. */
final class KeptRow implements RowReader.Row {
    private final String id;
    private final Instant detectTime;
    private final byte[] idea;

    KeptRow(RowReader.Row row) {
        id = row.id();
        detectTime = row.detectTime();
        idea = row.idea();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public Instant detectTime() {
        return detectTime;
    }

    @Override
    public byte[] idea() {
        return idea;
    }
}
