package siemload.load.injector;

import java.io.ByteArrayOutputStream;
import java.util.Base64;

/**
 * Whole numbers as a text that is short where they are small: seven bits a byte, the lowest first, and the sign in the lowest
 * bit (zigzag varints, as in Protocol Buffers), in base 64.
 */
final class PackedNumbers {
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private PackedNumbers() {}

    /** Packs numbers one after the other. Used by one thread. */
    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Writer add(long number) {
            long left = (number << 1) ^ (number >> (Long.SIZE - 1));
            while ((left & -MORE) != 0) {
                bytes.write((int) (left & (MORE - 1)) | MORE);
                left >>>= BITS;
            }
            bytes.write((int) left);
            return this;
        }

        String text() {
            return Base64.getEncoder().encodeToString(bytes.toByteArray());
        }
    }

    /** Unpacks numbers one after the other. Used by one thread. */
    static final class Reader {
        private final byte[] bytes;
        private int at;

        /** @throws IllegalArgumentException if the text is not in base 64 */
        Reader(String text) {
            bytes = Base64.getDecoder().decode(text);
        }

        boolean hasMore() {
            return at < bytes.length;
        }

        /** @throws IllegalArgumentException if there is none, or one that is cut or too long */
        long next() {
            long number = 0;
            for (int shift = 0; shift < Long.SIZE; shift += BITS) {
                if (!hasMore()) {
                    throw new IllegalArgumentException("a number is cut");
                }
                byte next = bytes[at++];
                number |= (long) (next & (MORE - 1)) << shift;
                if (next >= 0) {
                    return (number >>> 1) ^ -(number & 1);
                }
            }
            throw new IllegalArgumentException("a number of more than 64 bits");
        }
    }
}
