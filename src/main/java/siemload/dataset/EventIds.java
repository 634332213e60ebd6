package siemload.dataset;

import java.util.UUID;

/** Event ids in the form of random UUIDs, each from a seed and a number alone. */
final class EventIds {
    private EventIds() {}

    /** The id with this number; two numbers or seeds share one with a probability of 2^-122. */
    static String id(long seed, long number) {
        return uuid(SeededRandom.mix(seed, number), SeededRandom.mix(~seed, number));
    }

    /** The id of a copy of the event with this id. */
    static String copy(String id, long copy) {
        return uuid(SeededRandom.mix(hash(id, 1), copy), SeededRandom.mix(hash(id, 2), copy));
    }

    /** A number of 64 bits made from all characters. */
    static long hash(String text, long seed) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = SeededRandom.mix(hash, text.charAt(i));
        }
        return hash;
    }

    /** Version 4, variant 1: 122 of the bits are used. */
    private static String uuid(long high, long low) {
        return new UUID((high & ~0xF000L) | 0x4000L, (low & ~(3L << 62)) | (2L << 62)).toString();
    }
}
