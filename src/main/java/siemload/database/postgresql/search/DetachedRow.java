package siemload.database.postgresql.search;

import java.time.Instant;
import siemload.database.RowReader;

/** A row that depends on no result any more. */
final class DetachedRow implements RowReader.Row {
    private final String id;
    private final Instant detectTime;
    private final byte[] idea;

    DetachedRow(RowReader.Row row) {
        this(row.id(), row.detectTime(), row.idea());
    }

    DetachedRow(String id, Instant detectTime, byte[] idea) {
        this.id = id;
        this.detectTime = detectTime;
        this.idea = idea;
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
