package siemload.dataset.recording;

import java.util.List;

/**
 * What is known of a recording beside its events, as it stands in the cache. Immutable.
 *
 * @param formatVersion of the file it stands in
 * @param identity of the files, see {@link RecordedFile#identity}
 * @param index the name of the file with the events' times and places
 * @param files where the lines of each file can be read from any position
 * @param count the number of events
 * @param firstMicros the earliest detect time in microseconds since 1970
 * @param lastMicros the latest detect time
 * @param fingerprint made from all lines that are events
 * @param unreadableLines how many lines were left out
 * @param unreadable the first of them
 * @param warnings what is wrong with it, for people
 */
record RecordingSummary(
        int formatVersion,
        List<String> identity,
        String index,
        List<Lines> files,
        long count,
        long firstMicros,
        long lastMicros,
        String fingerprint,
        long unreadableLines,
        List<String> unreadable,
        List<String> warnings) {
    static final int FORMAT_VERSION = 2;

    RecordingSummary {
        identity = List.copyOf(identity);
        files = List.copyOf(files);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /**
     * A file whose lines can be read from any position.
     *
     * @param path the recording itself, or its unpacked copy
     * @param skipped how many bytes stand before its first line
     */
    record Lines(String path, int skipped) {}
}
