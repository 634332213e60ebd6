package siemload.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import siemload.dataset.FeedEvents;
import siemload.event.SecurityEvent;
import siemload.run.answers.FedBatch;

/**
 * When each batch was sent for the first time, and when the server acknowledged it, if it did: so that its events can be
 * looked for afterwards, and answers can be checked for them. 16 bytes a batch: the events can be made again at any time.
 * Instants are those of {@link System#nanoTime}. Thread-safe.
 */
final class FeedLedger {
    private static final int FIRST_CAPACITY = 64;

    private final BitSet sent = new BitSet();
    private final BitSet acknowledged = new BitSet();
    private final int batchSize;
    private long[] sentNanos = new long[FIRST_CAPACITY];
    private long[] acknowledgedNanos = new long[FIRST_CAPACITY];

    FeedLedger(int batchSize) {
        this.batchSize = batchSize;
    }

    /** Notes that a batch is about to be sent for the first time. */
    synchronized void sent(long batch, long nanos) {
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
    synchronized void acknowledged(long batch, long nanos) {
        int number = Math.toIntExact(batch);
        acknowledged.set(number);
        acknowledgedNanos[number] = nanos;
    }

    /**
     * Hands over every batch that was sent, acknowledged or not.
     *
     * @param content makes the events of a batch
     */
    void batches(LongFunction<List<SecurityEvent>> content, Consumer<FedBatch> taker) {
        for (int batch = nextSent(0); batch >= 0; batch = nextSent(batch + 1)) {
            taker.accept(batch(batch, content.apply(batch)));
        }
    }

    private synchronized int nextSent(int from) {
        return sent.nextSetBit(from);
    }

    private synchronized FedBatch batch(int number, List<SecurityEvent> events) {
        return acknowledged.get(number)
                ? FedBatch.acknowledged(events, sentNanos[number], acknowledgedNanos[number])
                : FedBatch.unacknowledged(events, sentNanos[number]);
    }

    /** The ids of all events sent so far that the server had not acknowledged at this instant. */
    synchronized Set<String> idsUnsettledAt(long nanos, FeedEvents events) {
        Set<String> ids = new HashSet<>();
        for (int batch = sent.nextSetBit(0); batch >= 0; batch = sent.nextSetBit(batch + 1)) {
            if (!acknowledged.get(batch) || acknowledgedNanos[batch] - nanos >= 0) {
                for (int i = 0; i < batchSize; i++) {
                    ids.add(events.id((long) batch * batchSize + i));
                }
            }
        }
        return ids;
    }

    /** Hands over the ids of all acknowledged events, in lists of about {@code atOnce}. */
    void acknowledgedIds(FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        ids(acknowledgedBatches(), events, atOnce, consumer);
    }

    /** Hands over the ids of all events that were sent and have not been acknowledged. */
    void unacknowledgedIds(FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        ids(unacknowledgedBatches(), events, atOnce, consumer);
    }

    private void ids(BitSet batches, FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        List<String> ids = new ArrayList<>(atOnce);
        for (int batch = batches.nextSetBit(0); batch >= 0; batch = batches.nextSetBit(batch + 1)) {
            for (int i = 0; i < batchSize; i++) {
                ids.add(events.id((long) batch * batchSize + i));
            }
            if (ids.size() >= atOnce) {
                consumer.accept(List.copyOf(ids));
                ids.clear();
            }
        }
        if (!ids.isEmpty()) {
            consumer.accept(List.copyOf(ids));
        }
    }

    private synchronized BitSet acknowledgedBatches() {
        return (BitSet) acknowledged.clone();
    }

    private synchronized BitSet unacknowledgedBatches() {
        BitSet open = (BitSet) sent.clone();
        open.andNot(acknowledged);
        return open;
    }
}
