package siemload.database;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a server answered one search, in its own words and reduced to what can be compared between runs. Immutable.
 *
 * @param text the server's own account, for people
 * @param extension how the name of a file with the text ends, without the dot: {@code json} or {@code txt}
 * @param accesses how the events were found, in the order of the text; reading the JSON of chosen events is no access
 * @param sorted whether the server sorted rows instead of reading them in order
 * @param parallel whether several workers of the server shared the work
 * @param refusedHint why the server did not follow the hint, where it says so
 * @param partitions how many partitions of the events were read; empty where the events are in one piece, or nothing is told
 */
public record Plan(
        String text,
        String extension,
        List<Access> accesses,
        boolean sorted,
        boolean parallel,
        Optional<String> refusedHint,
        Optional<PartitionsRead> partitions) {

    /** Of events that are in one piece. */
    public Plan(
            String text,
            String extension,
            List<Access> accesses,
            boolean sorted,
            boolean parallel,
            Optional<String> refusedHint) {
        this(text, extension, accesses, sorted, parallel, refusedHint, Optional.empty());
    }

    /**
     * What is left of the partitions once those are left out that the search cannot concern.
     *
     * @param read how many were read, or would be where the search was not executed
     * @param all how many there are
     */
    public record PartitionsRead(int read, int all) {}

    /**
     * One way into the stored events.
     *
     * @param name the name of the table or index on the server
     */
    public record Access(Kind kind, String name) {

        public enum Kind {
            TABLE,
            /** An index that starts with the detect time. */
            TIME_INDEX,
            /** An index that starts with another searched field. */
            FIELD_INDEX,
            /** The unique index of the event ids. */
            ID_INDEX;

            String label() {
                return name().toLowerCase(Locale.ROOT).replace('_', ' ');
            }
        }

        @Override
        public String toString() {
            return kind.label() + " " + name;
        }
    }

    /** Whether the events were found in such a way. */
    public boolean uses(Access.Kind kind) {
        return accesses.stream().anyMatch(access -> access.kind() == kind);
    }

    /** Equal for equal plans: {@code time index events_detect_time, sorted, parallel}. */
    public String shape() {
        String ways = accesses.stream().map(Access::toString).distinct().collect(Collectors.joining(" + "));
        return (ways.isEmpty() ? "nothing read" : ways) + (sorted ? ", sorted" : "") + (parallel ? ", parallel" : "");
    }
}
