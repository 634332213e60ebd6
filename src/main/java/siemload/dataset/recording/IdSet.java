package siemload.dataset.recording;

/**
 * A set of event ids by 128-bit hashes, in two arrays that grow: at most 43 bytes an id, up to 2^29 of them. Two ids among a
 * hundred million share a hash with a probability of 10^-23. Not thread-safe.
 */
final class IdSet {
    private static final int FIRST_CAPACITY = 1_024;

    private long[] high = new long[FIRST_CAPACITY];
    private long[] low = new long[FIRST_CAPACITY];
    private int size;

    /** Adds an id unless it is there; false if it was. */
    boolean add(long idHigh, long idLow) {
        if (size > high.length / 4 * 3) {
            grow();
        }
        // Two zeros mark a free place.
        long safeLow = idHigh == 0 && idLow == 0 ? 1 : idLow;
        int place = find(idHigh, safeLow);
        if (high[place] != 0 || low[place] != 0) {
            return false;
        }
        high[place] = idHigh;
        low[place] = safeLow;
        size++;
        return true;
    }

    private int find(long idHigh, long idLow) {
        int mask = high.length - 1;
        int place = (int) idLow & mask;
        while ((high[place] != idHigh || low[place] != idLow) && (high[place] != 0 || low[place] != 0)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        high = new long[oldHigh.length * 2];
        low = new long[oldLow.length * 2];
        for (int i = 0; i < oldHigh.length; i++) {
            if (oldHigh[i] != 0 || oldLow[i] != 0) {
                int place = find(oldHigh[i], oldLow[i]);
                high[place] = oldHigh[i];
                low[place] = oldLow[i];
            }
        }
    }
}
