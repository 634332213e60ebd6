package siemload.load.injector;

import java.util.ArrayList;
import java.util.List;
import siemload.run.answers.FeedLedger;

/** What became of all batches, in frames that all injectors are told. Stateless. */
final class LedgerFrames {
    private static final int ENTRIES_AT_ONCE = 10_000;

    private LedgerFrames() {}

    /** The entries in their order, some thousands a frame. */
    static List<Frame> of(List<FeedLedger.Entry> entries) {
        List<Frame> frames = new ArrayList<>();
        for (int from = 0; from < entries.size(); from += ENTRIES_AT_ONCE) {
            int until = Math.min(from + ENTRIES_AT_ONCE, entries.size());
            frames.add(new Frame.Fed(new FedEntries(entries.subList(from, until))));
        }
        return frames;
    }
}
