package siemload.dataset;

import java.util.Arrays;

/** The numbers of the lines of a recording whose id occurred on an earlier line, in ascending order. Not thread-safe. */
final class RepeatedLines {
    /** Eight bytes each; a file with more of them is broken as a whole. */
    static final int LIMIT = 1_000_000;

    private long[] lines = new long[16];
    private int size;

    void add(long line) {
        if (size == lines.length) {
            lines = Arrays.copyOf(lines, size * 2);
        }
        lines[size++] = line;
    }

    boolean isFull() {
        return size == LIMIT;
    }

    boolean contains(long line) {
        return Arrays.binarySearch(lines, 0, size, line) >= 0;
    }

    /** Puts lines that were found share by share into the order of the file. */
    void sort() {
        Arrays.sort(lines, 0, size);
    }
}
