package siemload.dataset.learn;

import java.util.Arrays;
import siemload.dataset.SeededRandom;
import siemload.dataset.statistics.OccurrenceCounts;

/**
 * How often each of very many numbers occurred, such as addresses: exact, and of all numbers up to a limit; beyond it of
 * those whose hash falls into a share that halves each time the table is full, which is a fair sample. Three arrays that
 * grow to 10 MB at most. Not thread-safe.
 */
final class SampledCounts {
    private static final int FIRST_CAPACITY = 1 << 10;

    private final int limit;
    private long[] numbers = new long[FIRST_CAPACITY];
    private long[] groups = new long[FIRST_CAPACITY];
    /** One more than the count; 0 marks a free place. */
    private int[] counts = new int[FIRST_CAPACITY];

    private int size;
    private long mask;
    private int halvings;
    private long draws;

    /** @param limit how many numbers are counted at most */
    SampledCounts(int limit) {
        this.limit = limit;
    }

    /** Counts a number once more. */
    void add(long number, long group) {
        add(number, group, 1);
    }

    /**
     * Counts a number.
     *
     * @param group what it is one of: of addresses, their network
     * @param times how often; 0 makes the number known
     */
    void add(long number, long group, int times) {
        draws += times;
        long hash = SeededRandom.mix(number, 1);
        if ((hash & mask) != 0) {
            return;
        }
        int place = place(number, hash);
        if (counts[place] == 0) {
            numbers[place] = number;
            groups[place] = group;
            counts[place] = 1;
            size++;
        }
        counts[place] += counts[place] <= Integer.MAX_VALUE - times ? times : 0;
        if (size > limit) {
            mask = mask << 1 | 1;
            halvings++;
            rebuild(numbers.length);
        } else if (size > numbers.length / 2) {
            rebuild(numbers.length * 2);
        }
    }

    private int place(long number, long hash) {
        int places = numbers.length - 1;
        int place = (int) (hash >>> 32) & places;
        while (counts[place] != 0 && numbers[place] != number) {
            place = (place + 1) & places;
        }
        return place;
    }

    private void rebuild(int capacity) {
        long[] oldNumbers = numbers;
        long[] oldGroups = groups;
        int[] oldCounts = counts;
        numbers = new long[capacity];
        groups = new long[capacity];
        counts = new int[capacity];
        size = 0;
        for (int i = 0; i < oldNumbers.length; i++) {
            long hash = SeededRandom.mix(oldNumbers[i], 1);
            if (oldCounts[i] > 0 && (hash & mask) == 0) {
                int place = place(oldNumbers[i], hash);
                numbers[place] = oldNumbers[i];
                groups[place] = oldGroups[i];
                counts[place] = oldCounts[i];
                size++;
            }
        }
    }

    /** How often any number occurred. */
    long draws() {
        return draws;
    }

    /** How many different numbers were counted. */
    int distinct() {
        return size;
    }

    /** How many of the counted numbers occurred at all. */
    int occurring() {
        int occurring = 0;
        for (int count : counts) {
            occurring += count > 1 ? 1 : 0;
        }
        return occurring;
    }

    /** The share of all numbers that were counted. */
    double sampled() {
        return Math.pow(0.5, halvings);
    }

    /** In how many different groups the counted numbers are. */
    long groups() {
        long[] present = new long[size];
        int found = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                present[found++] = groups[i];
            }
        }
        return Arrays.stream(present).distinct().count();
    }

    OccurrenceCounts occurrences() {
        return new OccurrenceCounts(
                draws,
                sampled(),
                Arrays.stream(counts)
                        .filter(count -> count > 1)
                        .map(count -> count - 1)
                        .toArray());
    }
}
