package siemload.run.procedure;

import java.util.HexFormat;
import siemload.query.Order;

/**
 * A number that is the same for the same events in the same order, and most likely another one for anything else: FNV-1a
 * of 64 bits (Fowler, Noll, Vo; RFC 9923) over each id, and over the ids. Where the order does not matter the numbers of
 * the ids are added. Used by one thread.
 */
final class AnswerHash {
    private static final long OFFSET = 0xcbf2_9ce4_8422_2325L;
    private static final long PRIME = 0x0000_0100_0000_01b3L;

    private final boolean ordered;
    private long hash;

    AnswerHash(Order order) {
        ordered = order != Order.UNSORTED;
        hash = ordered ? OFFSET : 0;
    }

    /** Takes the id of the next event, or any other text that is part of the answer. */
    void add(String text) {
        long one = OFFSET;
        for (int i = 0; i < text.length(); i++) {
            one = (one ^ text.charAt(i)) * PRIME;
        }
        hash = ordered ? (hash ^ one) * PRIME : hash + one;
    }

    /** 16 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(hash);
    }
}
