package siemload.database.postgresql.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import siemload.database.postgresql.layout.DayPartition;
import siemload.database.postgresql.layout.Layout;
import siemload.event.SecurityEvent;

/**
 * Makes rows of events, as many at once as fit into a processor's caches, of however many events these are. Used by one thread
 * at a time.
 */
final class CopyBatches implements Iterator<CopyBatch> {
    /** Of a batch: some hundred events of the usual size. */
    private static final int ENOUGH_BYTES = 1 << 18;
    /** Events whose rows of one table are made before those of the next: the code for one table at a time is faster. */
    private static final int AT_ONCE = 32;
    /** Of one table in a batch, where JSON takes most: more would be zeroed in vain. */
    private static final int USUAL_BYTES = 3 << 16;
    /** Of an event in that table. */
    private static final int USUAL_BYTES_OF_EVENT = USUAL_BYTES / 256;

    private final List<CopyFormat> formats;
    private final Iterator<Map.Entry<Optional<DayPartition>, List<SecurityEvent>>> days;
    private Optional<DayPartition> day = Optional.empty();
    private Iterator<SecurityEvent> ofDay = Collections.emptyIterator();
    /** What there may be of a day's events in one batch, unless these are large. */
    private int usualBytes;

    /** @param byDay events by the day that they have in common; none of the lists is empty */
    CopyBatches(Layout layout, Map<Optional<DayPartition>, List<SecurityEvent>> byDay) {
        formats = layout.tables().stream().map(CopyFormat::of).toList();
        days = byDay.entrySet().iterator();
    }

    @Override
    public boolean hasNext() {
        return ofDay.hasNext() || days.hasNext();
    }

    @Override
    public CopyBatch next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (!ofDay.hasNext()) {
            Map.Entry<Optional<DayPartition>, List<SecurityEvent>> next = days.next();
            day = next.getKey();
            ofDay = next.getValue().iterator();
            usualBytes = Math.min(USUAL_BYTES, next.getValue().size() * USUAL_BYTES_OF_EVENT);
        }
        List<CopyBuffer> rows = new ArrayList<>();
        formats.forEach(format -> rows.add(new CopyBuffer(usualBytes)));
        long jsonBytes = 0;
        int bytes = 0;
        while (ofDay.hasNext() && bytes < ENOUGH_BYTES) {
            List<SecurityEvent> some = some();
            bytes = 0;
            for (int table = 0; table < rows.size(); table++) {
                CopyFormat format = formats.get(table);
                CopyBuffer ofTable = rows.get(table);
                for (SecurityEvent event : some) {
                    jsonBytes += format.rows(event, ofTable);
                }
                bytes += ofTable.size();
            }
        }
        return new CopyBatch(day, rows, jsonBytes);
    }

    private List<SecurityEvent> some() {
        List<SecurityEvent> some = new ArrayList<>(AT_ONCE);
        while (ofDay.hasNext() && some.size() < AT_ONCE) {
            some.add(ofDay.next());
        }
        return some;
    }
}
