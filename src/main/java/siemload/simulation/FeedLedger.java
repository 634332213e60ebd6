package siemload.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import siemload.dataset.FeedEvents;

/**
 * Which batches the server acknowledged, so that each of their events can be looked for afterwards. One bit a batch:
 * its ids can be made again at any time. Thread-safe.
 */
final class FeedLedger {
    private final BitSet batches = new BitSet();
    private final int batchSize;

    FeedLedger(int batchSize) {
        this.batchSize = batchSize;
    }

    synchronized void acknowledged(long batch) {
        batches.set(Math.toIntExact(batch));
    }

    /** Hands over the ids of all acknowledged events, in lists of about {@code atOnce}. */
    void ids(FeedEvents events, int atOnce, Consumer<List<String>> consumer) {
        List<String> ids = new ArrayList<>(atOnce);
        BitSet acknowledged = snapshot();
        for (int batch = acknowledged.nextSetBit(0); batch >= 0; batch = acknowledged.nextSetBit(batch + 1)) {
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

    private synchronized BitSet snapshot() {
        return (BitSet) batches.clone();
    }
}
