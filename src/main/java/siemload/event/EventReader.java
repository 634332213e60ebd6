package siemload.event;

import java.util.List;

/** Reads the events of one format, one from each line. Thread-safe. */
public interface EventReader {

    /**
     * Reads an event.
     *
     * @param bytes have the line, without its end
     * @param offset of the line in {@code bytes}
     * @param length of the line in bytes
     * @param position how many bytes stand before the line in its file, unpacked: for formats whose events need no id,
     *     so that two lines that are equal become two events
     * @throws EventFormatException if the line is no event of this format, with the reason
     */
    SecurityEvent read(byte[] bytes, int offset, int length, long position);

    /** The format, with all that decides what becomes of a line: equal where every line is read as the same event. */
    String identity();

    /** What the format demands and this readable event lacks, in words for people. */
    default List<String> lacks(SecurityEvent event) {
        return List.of();
    }
}
