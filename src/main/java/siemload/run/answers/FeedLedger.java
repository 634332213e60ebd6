package siemload.run.answers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.run.answers.SampledAnswer.Visibility;

/**
 * When each batch was sent for the first time, and when the server acknowledged it, if it did: so that its events can be
 * looked for afterwards, and answers can be checked for them. 16 bytes a batch: the events can be made again at any time.
 * Instants are those of {@link System#nanoTime}. Thread-safe.
 */
public final class FeedLedger {
    private static final int FIRST_CAPACITY = 64;

    private final BitSet sent = new BitSet();
    private final BitSet acknowledged = new BitSet();
    private final BitSet sentTold = new BitSet();
    private final BitSet acknowledgedTold = new BitSet();
    private final int batchSize;
    private long[] sentNanos = new long[FIRST_CAPACITY];
    private long[] acknowledgedNanos = new long[FIRST_CAPACITY];

    /**
     * Events that were fed together during a run, and when. Immutable.
     *
     * @param sentNanos for the first time
     * @param acknowledgedNanos empty where the server may have stored them, but never said so
     */
    public record Batch(List<SecurityEvent> events, long sentNanos, OptionalLong acknowledgedNanos) {
        public Batch {
            events = List.copyOf(events);
        }

        /** Whether the events belong into an answer. */
        Visibility visibilityTo(SampledAnswer answer) {
            if (sentNanos - answer.endNanos() >= 0) {
                return Visibility.NEVER;
            }
            boolean settled =
                    acknowledgedNanos.isPresent() && acknowledgedNanos.getAsLong() - answer.seenFromNanos() < 0;
            return settled ? Visibility.MUST : Visibility.MAY;
        }
    }

    /** All batches that were sent during a run, acknowledged or not. */
    @FunctionalInterface
    public interface Batches {
        /** Hands over every batch; memory does not grow with their number. */
        void forEach(Consumer<Batch> taker);
    }

    /** @param batchSize events a batch */
    public FeedLedger(int batchSize) {
        this.batchSize = batchSize;
    }

    /** Notes that a batch is about to be sent for the first time. */
    public synchronized void sent(long batch, long nanos) {
        int number = Math.toIntExact(batch);
        if (number >= sentNanos.length) {
            int capacity = Math.max(number + 1, sentNanos.length * 2);
            sentNanos = Arrays.copyOf(sentNanos, capacity);
            acknowledgedNanos = Arrays.copyOf(acknowledgedNanos, capacity);
        }
        sent.set(number);
        sentNanos[number] = nanos;
    }

    /** Notes that a batch is stored; it was {@link #sent} before. */
    public synchronized void acknowledged(long batch, long nanos) {
        int number = Math.toIntExact(batch);
        acknowledged.set(number);
        acknowledgedNanos[number] = nanos;
    }

    /**
     * Hands over every batch that was sent, acknowledged or not.
     *
     * @param content makes the events of a batch
     */
    public void batches(LongFunction<List<SecurityEvent>> content, Consumer<Batch> taker) {
        for (int batch = nextSent(0); batch >= 0; batch = nextSent(batch + 1)) {
            taker.accept(batch(batch, content.apply(batch)));
        }
    }

    private synchronized int nextSent(int from) {
        return sent.nextSetBit(from);
    }

    private synchronized Batch batch(int number, List<SecurityEvent> events) {
        return new Batch(
                events,
                sentNanos[number],
                acknowledged.get(number) ? OptionalLong.of(acknowledgedNanos[number]) : OptionalLong.empty());
    }

    /** The ids of all events sent so far that the server had not acknowledged at this instant. */
    public synchronized Set<String> idsUnsettledAt(long nanos, FeedEvents events) {
        Set<String> ids = new HashSet<>();
        for (int batch = sent.nextSetBit(0); batch >= 0; batch = sent.nextSetBit(batch + 1)) {
            if (!acknowledged.get(batch) || acknowledgedNanos[batch] - nanos >= 0) {
                addIds(batch, events, ids);
            }
        }
        return ids;
    }

    /**
     * The ids of those of the newest events in this ledger that the server had acknowledged before an instant.
     *
     * @param batches of how many batches at most, the last ones
     */
    public synchronized Set<String> idsSettledAt(long nanos, FeedEvents events, int batches) {
        Set<String> ids = new HashSet<>();
        int batch = acknowledged.length();
        for (int looked = 0; looked < batches && batch > 0; looked++) {
            batch = acknowledged.previousSetBit(batch - 1);
            if (batch >= 0 && acknowledgedNanos[batch] - nanos < 0) {
                addIds(batch, events, ids);
            }
        }
        return ids;
    }

    /**
     * What became of a batch.
     *
     * @param batch its number
     * @param change sent, or acknowledged
     * @param nanos when, on some clock
     */
    public record Entry(long batch, Change change, long nanos) {
        /** The same on another clock. */
        public Entry shifted(long moreNanos) {
            return new Entry(batch, change, nanos + moreNanos);
        }
    }

    /** What can become of a batch. */
    public enum Change {
        SENT,
        ACKNOWLEDGED
    }

    /** What has become of batches since the last call, those sent first; for one reader only. */
    public synchronized List<Entry> takeEntries() {
        List<Entry> entries = new ArrayList<>();
        fresh(sent, sentTold).forEach(batch -> entries.add(new Entry(batch, Change.SENT, sentNanos[batch])));
        fresh(acknowledged, acknowledgedTold)
                .forEach(batch -> entries.add(new Entry(batch, Change.ACKNOWLEDGED, acknowledgedNanos[batch])));
        return entries;
    }

    /** Those that are not among the told ones, which they are from now on. */
    private static IntStream fresh(BitSet all, BitSet told) {
        BitSet fresh = (BitSet) all.clone();
        fresh.andNot(told);
        told.or(fresh);
        return fresh.stream();
    }

    /** Adds what somebody else has noted. */
    public void add(Entry entry) {
        switch (entry.change()) {
            case SENT -> sent(entry.batch(), entry.nanos());
            case ACKNOWLEDGED -> acknowledged(entry.batch(), entry.nanos());
        }
    }

    /** Whether a batch is known to have been sent. */
    public synchronized boolean isSent(long batch) {
        return sent.get(Math.toIntExact(batch));
    }

    /** Hands over the ids of all acknowledged events, in lists of about {@code atOnce}. */
    public void acknowledgedIds(FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        ids(batches(Change.ACKNOWLEDGED), events, atOnce, consumer);
    }

    /** Hands over the ids of all events that were sent and have not been acknowledged. */
    public void unacknowledgedIds(FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        ids(batches(Change.SENT), events, atOnce, consumer);
    }

    /** Those to which nothing else has happened since. */
    private synchronized BitSet batches(Change last) {
        BitSet batches = (BitSet) (last == Change.SENT ? sent : acknowledged).clone();
        if (last == Change.SENT) {
            batches.andNot(acknowledged);
        }
        return batches;
    }

    private void ids(BitSet batches, FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        List<String> ids = new ArrayList<>(atOnce);
        batches.stream().forEach(batch -> {
            addIds(batch, events, ids);
            if (ids.size() >= atOnce) {
                consumer.accept(List.copyOf(ids));
                ids.clear();
            }
        });
        if (!ids.isEmpty()) {
            consumer.accept(List.copyOf(ids));
        }
    }

    private void addIds(int batch, FeedEvents events, Collection<String> ids) {
        for (int i = 0; i < batchSize; i++) {
            ids.add(events.id((long) batch * batchSize + i));
        }
    }
}
