package siemload.dataset.recording;

/**
 * Where a line begins: file and byte in one number, in the order in which the files are read. Stateless.
 *
 * <p>16 bits for the file and 48 for the byte, enough for 32,768 files of 256 terabytes.
 */
final class Place {
    static final int MOST_FILES = 1 << 15;

    private static final int BITS_OF_POSITION = 48;

    private Place() {}

    static long of(int file, long position) {
        return (long) file << BITS_OF_POSITION | position;
    }

    static int file(long place) {
        return (int) (place >>> BITS_OF_POSITION);
    }

    /** How many bytes of the file, unpacked, stand before the line. */
    static long position(long place) {
        return place & (1L << BITS_OF_POSITION) - 1;
    }
}
