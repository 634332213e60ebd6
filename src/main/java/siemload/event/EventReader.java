package siemload.event;

import java.time.Instant;
import java.util.Optional;

/** Reads the events of one format, one from each line. Thread-safe. */
public interface EventReader {

    /**
     * What an index of events must know of one. Immutable.
     *
     * @param id its identifier
     * @param detectTime when the detector saw the incident
     * @param whole the event, where it had to be read; else its line is IDEA
     */
    record Outline(String id, Instant detectTime, Optional<SecurityEvent> whole) {
        /** The outline of a parsed event. */
        public static Outline of(SecurityEvent event) {
            return new Outline(event.id(), event.detectTime(), Optional.of(event));
        }
    }

    /**
     * Reads an event.
     *
     * @param bytes have the line, without its end
     * @param offset of the line in {@code bytes}
     * @param length of the line in bytes
     * @param position how many bytes precede the line in its file, unpacked: for formats whose events need no id, so that two equal lines
     *     become two events
     * @throws EventFormatException if the line is no event of this format, with the reason
     */
    SecurityEvent read(byte[] bytes, int offset, int length, long position);

    /**
     * What an index needs from the event, where that is faster than parsing it. A line that has an outline is an event that can be stored
     * everywhere.
     *
     * @return empty where the line must be parsed
     */
    default Optional<Outline> outline(byte[] bytes, int offset, int length) {
        return Optional.empty();
    }

    /** The format, with everything that determines how a line is read: equal if every line gives the same event. */
    String identity();
}
