package siemload.dataset;

import java.util.UUID;

/**
 * The only source of random numbers: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). The JDK
 * does not promise that its own generators produce the same numbers in all versions, but a data set must have the same bytes everywhere.
 * Not thread-safe.
 */
public final class SeededRandom {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    /** Makes a generator whose numbers depend only on this seed. */
    public SeededRandom(long seed) {
        state = seed;
    }

    /** Makes a generator for one element among many, for instance for event {@code index} of data set {@code seed}. */
    public static SeededRandom of(long seed, long index) {
        return new SeededRandom(mix(seed, index));
    }

    /** Returns a seed for one element among many; neighbouring indexes give unrelated seeds. */
    public static long mix(long seed, long index) {
        return mix64(mix64(seed + GOLDEN_GAMMA) ^ mix64(index * GOLDEN_GAMMA + 1));
    }

    /** Returns a random {@code long}; all values are equally likely. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix64(state);
    }

    /**
     * Returns a whole number from 0 to {@code bound - 1}, uniform except for a bias below {@code bound / 2^62}.
     *
     * @param bound 1 to 2^62 - 1
     */
    public long nextLong(long bound) {
        if (bound < 1 || bound >= 1L << 62) {
            throw new IllegalArgumentException("bound must be 1 to 2^62 - 1, was " + bound);
        }
        // Multiplies a 63-bit number n by twice the bound and shifts right by 64: (n / 2^63) * bound, rounded down.
        return Math.multiplyHigh(nextLong() >>> 1, bound << 1);
    }

    /** A whole number from 0 to {@code bound - 1}. */
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** A number from 0 (included) to 1 (excluded), in steps of 2^-53. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    private static long mix64(long value) {
        long z = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    /** Returns the id of this event in the form of a random UUID; two events have equal ids with a probability of 2^-122. */
    static String id(long seed, long number) {
        return uuid(mix(seed, number), mix(~seed, number));
    }

    /** Returns the id of a copy of the event with this id. */
    static String idOfCopy(String id, long copy) {
        return uuid(mix(hash(id, 1), copy), mix(hash(id, 2), copy));
    }

    /** Returns a 64-bit hash of all characters. */
    static long hash(String text, long seed) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash, text.charAt(i));
        }
        return hash;
    }

    /** Makes a UUID of version 4 and variant 1 from 122 of these bits. */
    private static String uuid(long high, long low) {
        return new UUID((high & ~0xF000L) | 0x4000L, (low & ~(3L << 62)) | (2L << 62)).toString();
    }
}
