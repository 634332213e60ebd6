package siemload.event;

/** Reads the events of one format, one from each record. Thread-safe. */
public interface EventReader {

    /**
     * Reads an event.
     *
     * @param bytes have the record, without a line end
     * @param offset of the record in {@code bytes}
     * @param length of the record in bytes
     * @param position how many bytes precede the record in its file, unpacked: for formats whose events need no id, so that two equal lines
     *     become two events
     * @throws EventFormatException if the record is no event of this format, with the reason
     */
    SecurityEvent read(byte[] bytes, int offset, int length, long position);

    /** The format, with everything that determines how a record is read: equal if each gives the same event. */
    String identity();
}
