package siemload.run.learn;

import java.util.ArrayList;
import java.util.List;
import siemload.dataset.SeededRandom;

/**
 * A sample of the values that a statement was asked with, row by row, in which each of them is alike likely (Vitter, Random Sampling
 * with a Reservoir, 1985, algorithm R). It has as many of a frequent row as its share is. Not thread-safe.
 */
final class SampledRows {
    private static final int MOST_ROWS = 2_000;
    private static final int MOST_CHARACTERS = 8_000_000;
    private static final int LONGEST_ROW = 20_000;

    private final SeededRandom random;
    private final List<List<String>> rows = new ArrayList<>();
    private int capacity = MOST_ROWS;
    private long seen;
    private long tooLong;
    private long characters;

    SampledRows(SeededRandom random) {
        this.random = random;
    }

    /** Notes a row; one of too many characters is counted and not kept. */
    void add(List<String> row) {
        if (length(row) > LONGEST_ROW) {
            tooLong++;
            return;
        }
        seen++;
        if (rows.size() < capacity) {
            rows.add(row);
            characters += length(row);
        } else {
            long place = random.nextLong(seen);
            if (place < capacity) {
                List<String> replaced = rows.set((int) place, row);
                characters += length(row) - length(replaced);
            }
        }
        if (characters > MOST_CHARACTERS) {
            halve();
        }
    }

    /** Keeps half of the rows, each of them alike likely. */
    void halve() {
        capacity = Math.max(1, capacity / 2);
        while (rows.size() > capacity) {
            int place = random.nextInt(rows.size());
            List<String> last = rows.remove(rows.size() - 1);
            List<String> removed = place < rows.size() ? rows.set(place, last) : last;
            characters -= length(removed);
        }
    }

    /** How many characters the rows have that are kept. */
    long characters() {
        return characters;
    }

    /** How many rows were too long to be kept. */
    long tooLong() {
        return tooLong;
    }

    List<List<String>> rows() {
        return List.copyOf(rows);
    }

    private static long length(List<String> row) {
        long length = 0;
        for (String value : row) {
            length += value.length();
        }
        return length;
    }
}
