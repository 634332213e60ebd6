package siemload.event;

/** Reads the events of one format, one from each record. Thread-safe. */
public interface EventReader {

    /**
     * Reads an event.
     *
     * @param bytes the bytes that hold the record, without a line end
     * @param offset of the record in {@code bytes}
     * @param length of the record in bytes
     * @param position the number of unpacked bytes before the record in its file; formats without ids use this number to make two events of
     *     two equal lines
     * @throws EventFormatException if the record is not an event of this format, with the reason
     */
    SecurityEvent read(byte[] bytes, int offset, int length, long position);

    /** Identifies how records are read, by format and options: readers with the same identity read the same event from a record. */
    String identity();
}
