package siemload.load.injector;

import java.util.ArrayList;
import java.util.List;
import siemload.run.answers.FeedLedger.Change;
import siemload.run.answers.FeedLedger.Entry;

/**
 * What became of some batches, as injectors are told it: each entry as what differs from the one before it, which makes some five
 * bytes of what would be sixty. All injectors are told the same, so that it is packed once. Immutable.
 */
record FedEntries(List<Entry> entries) {
    /** By their numbers in the text. */
    private static final List<Change> CHANGES = List.of(Change.values());

    FedEntries {
        entries = List.copyOf(entries);
    }

    /** As a text in base 64. */
    String text() {
        PackedNumbers.Writer packed = new PackedNumbers.Writer();
        Entry before = new Entry(0, Change.SENT, 0);
        for (Entry entry : entries) {
            packed.add(CHANGES.indexOf(entry.change()))
                    .add(entry.batch() - before.batch())
                    .add(entry.nanos() - before.nanos());
            before = entry;
        }
        return packed.text();
    }

    /** @throws IllegalArgumentException if the text is none */
    static FedEntries of(String text) {
        PackedNumbers.Reader packed = new PackedNumbers.Reader(text);
        List<Entry> entries = new ArrayList<>();
        Entry before = new Entry(0, Change.SENT, 0);
        while (packed.hasMore()) {
            long change = packed.next();
            if (change < 0 || change >= CHANGES.size()) {
                throw new IllegalArgumentException("no change: " + change);
            }
            before = new Entry(
                    before.batch() + packed.next(), CHANGES.get((int) change), before.nanos() + packed.next());
            entries.add(before);
        }
        return new FedEntries(entries);
    }
}
