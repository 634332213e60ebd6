package siemload.run.answers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;

/**
 * Notes when each batch was first sent, and when the server acknowledged it, in order to look for its events afterwards and to check
 * answers. The ledger needs only 16 bytes for each batch, since the events can be generated again at any time. Instants are those of {@link
 * System#nanoTime}. Thread-safe.
 */
public final class FeedLedger {
    /** 146 years in nanoseconds: longer than any run, but short enough that differences to a run's instants do not overflow. */
    static final long FAR_NANOS = Long.MAX_VALUE / 2;

    private static final int IDS_AT_ONCE = 10_000;

    private final int batchSize;
    private final Noted sent = new Noted();
    private final Noted acknowledged = new Noted();

    /** The times at which batches had one kind of change, and which of these changes were reported. Guarded by the ledger. */
    private static final class Noted {
        private final BitSet batches = new BitSet();
        private final BitSet told = new BitSet();
        private long[] nanos = new long[64];

        void add(long batch, long when) {
            int number = Math.toIntExact(batch);
            if (number >= nanos.length) {
                nanos = Arrays.copyOf(nanos, Math.max(number + 1, nanos.length * 2));
            }
            batches.set(number);
            nanos[number] = when;
        }

        /** Adds the changes that were not reported yet, and marks them as reported. */
        void tell(Change change, List<Entry> entries) {
            BitSet fresh = (BitSet) batches.clone();
            fresh.andNot(told);
            told.or(fresh);
            fresh.stream().forEach(batch -> entries.add(new Entry(batch, change, nanos[batch])));
        }
    }

    /**
     * Events that were fed together during a run, with the times at which they were sent and acknowledged. Immutable.
     *
     * @param sentNanos when the events were first sent
     * @param acknowledgedNanos when the server acknowledged the events; far in the future if it never did, but may have stored them
     */
    public record Batch(List<SecurityEvent> events, long sentNanos, long acknowledgedNanos) {
        public Batch {
            events = List.copyOf(events);
        }
    }

    /** All batches that were sent during a run, acknowledged or not. */
    public interface Batches {
        /** Passes on every batch; memory does not grow with the number of batches. */
        void forEach(Consumer<Batch> taker);
    }

    /** @param batchSize the number of events in a batch */
    public FeedLedger(int batchSize) {
        this.batchSize = batchSize;
    }

    /** Notes that a batch is about to be sent for the first time. */
    public void sent(long batch, long nanos) {
        add(new Entry(batch, Change.SENT, nanos));
    }

    /** Notes that a batch is stored; {@link #sent} must have been called before. */
    public void acknowledged(long batch, long nanos) {
        add(new Entry(batch, Change.ACKNOWLEDGED, nanos));
    }

    public synchronized void add(Entry entry) {
        (entry.change() == Change.SENT ? sent : acknowledged).add(entry.batch(), entry.nanos());
    }

    /** Passes on every batch that was sent, acknowledged or not, with the events that {@code content} generates. */
    public void batches(LongFunction<List<SecurityEvent>> content, Consumer<Batch> taker) {
        batches(sent).stream().forEach(batch -> {
            List<SecurityEvent> events = content.apply(batch);
            taker.accept(new Batch(events, nanos(sent, batch), nanos(acknowledged, batch)));
        });
    }

    private synchronized BitSet batches(Noted noted) {
        return (BitSet) noted.batches.clone();
    }

    /** Returns when this change happened to a batch that was sent; far in the future if it did not happen. */
    private synchronized long nanos(Noted noted, int batch) {
        return noted.batches.get(batch) ? noted.nanos[batch] : sent.nanos[batch] + FAR_NANOS;
    }

    /** Returns the ids of all events sent so far that the server had not acknowledged at this instant. */
    public synchronized Set<String> idsUnsettledAt(long nanos, FeedEvents events) {
        Set<String> ids = new HashSet<>();
        sent.batches.stream()
                .filter(batch -> nanos(acknowledged, batch) - nanos >= 0)
                .forEach(batch -> addIds(batch, events, ids));
        return ids;
    }

    /**
     * A change of a batch.
     *
     * @param batch the number of the batch
     * @param change sent, or acknowledged
     * @param nanos the instant of the change, on some clock
     */
    public record Entry(long batch, Change change, long nanos) {
        /** Returns this entry on another clock. */
        public Entry shifted(long moreNanos) {
            return new Entry(batch, change, nanos + moreNanos);
        }

        /** Returns this entry for a clock known only to this precision: at the earliest instant for a sent batch, otherwise the latest. */
        public Entry widened(long uncertaintyNanos) {
            return shifted(change == Change.SENT ? -uncertaintyNanos : uncertaintyNanos);
        }
    }

    /** The changes of batches. */
    public enum Change {
        SENT,
        ACKNOWLEDGED
    }

    /** Returns the changes of batches since the last call, sent batches before acknowledged ones; for one reader only. */
    public synchronized List<Entry> takeEntries() {
        List<Entry> entries = new ArrayList<>();
        sent.tell(Change.SENT, entries);
        acknowledged.tell(Change.ACKNOWLEDGED, entries);
        return entries;
    }

    /** Passes on, in parts, the ids of all events whose last known change is {@code last}. */
    public void ids(Change last, FeedEvents events, Consumer<List<String>> taker) {
        BitSet batches = batches(last == Change.SENT ? sent : acknowledged);
        if (last == Change.SENT) {
            batches.andNot(batches(acknowledged));
        }
        List<String> ids = new ArrayList<>();
        batches.stream().forEach(batch -> {
            addIds(batch, events, ids);
            if (ids.size() >= IDS_AT_ONCE) {
                taker.accept(List.copyOf(ids));
                ids.clear();
            }
        });
        if (!ids.isEmpty()) {
            taker.accept(ids);
        }
    }

    private void addIds(int batch, FeedEvents events, Collection<String> ids) {
        for (int i = 0; i < batchSize; i++) {
            ids.add(events.id((long) batch * batchSize + i));
        }
    }
}
