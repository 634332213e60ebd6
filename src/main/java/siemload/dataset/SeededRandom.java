package siemload.dataset;

import java.util.UUID;

/**
 * The only source of random numbers: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
 * Implemented here because the JDK does not promise that its own generators produce the same numbers in all versions, and a data set must
 * have the same bytes everywhere. Not thread-safe.
 */
public final class SeededRandom {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    /** A generator whose numbers depend only on this seed. */
    public SeededRandom(long seed) {
        state = seed;
    }

    /** A generator for one thing among many, for instance event {@code index} of data set {@code seed}. */
    public static SeededRandom of(long seed, long index) {
        return new SeededRandom(mix(seed, index));
    }

    /** A seed for one thing among many; neighbouring indexes give unrelated seeds. */
    public static long mix(long seed, long index) {
        return mix64(mix64(seed + GOLDEN_GAMMA) ^ mix64(index * GOLDEN_GAMMA + 1));
    }

    /** Any long, all equally likely. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix64(state);
    }

    /**
     * A whole number from 0 to {@code bound - 1}, uniform except for a bias below {@code bound / 2^62}.
     *
     * @param bound 1 to 2^62 - 1
     */
    public long nextLong(long bound) {
        if (bound < 1 || bound >= 1L << 62) {
            throw new IllegalArgumentException("bound must be 1 to 2^62 - 1, was " + bound);
        }
        // A 63-bit number times twice the bound, shifted right by 64: (n / 2^63) * bound, rounded down.
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

    /** An event id with this number in the form of a random UUID; two numbers or seeds share one with a probability of 2^-122. */
    static String id(long seed, long number) {
        return uuid(mix(seed, number), mix(~seed, number));
    }

    /** The id of a copy of the event with this id. */
    static String idOfCopy(String id, long copy) {
        return uuid(mix(hash(id, 1), copy), mix(hash(id, 2), copy));
    }

    /** A number of 64 bits from all characters. */
    static long hash(String text, long seed) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash, text.charAt(i));
        }
        return hash;
    }

    /** Version 4, variant 1: 122 of the bits are used. */
    private static String uuid(long high, long low) {
        return new UUID((high & ~0xF000L) | 0x4000L, (low & ~(3L << 62)) | (2L << 62)).toString();
    }
}
