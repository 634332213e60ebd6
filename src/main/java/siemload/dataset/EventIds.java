package siemload.dataset;

import java.nio.charset.StandardCharsets;

/** Event ids in the form of random UUIDs, each from a seed and a number alone. */
final class EventIds {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

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
        byte[] text = new byte[36];
        long first = (high & ~0xF000L) | 0x4000L;
        long second = (low & ~(3L << 62)) | (2L << 62);
        hex(text, 0, first >>> 32, 8);
        hex(text, 9, first >>> 16, 4);
        hex(text, 14, first, 4);
        hex(text, 19, second >>> 48, 4);
        hex(text, 24, second, 12);
        text[8] = '-';
        text[13] = '-';
        text[18] = '-';
        text[23] = '-';
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void hex(byte[] text, int from, long bits, int digits) {
        for (int i = 0; i < digits; i++) {
            text[from + i] = HEX[(int) (bits >>> (4 * (digits - 1 - i))) & 15];
        }
    }
}
