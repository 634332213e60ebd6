package siemload.database;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * How a server answered one search, in its own words and reduced to what can be compared between runs. Immutable.
 *
 * @param text the server's own account, for people
 * @param format how the text is written
 * @param accesses how the events were found, in the order of the text; reading the JSON of chosen events is no access
 * @param sorted whether the server sorted rows instead of reading them in order
 * @param parallel whether several workers of the server shared the work
 * @param refusedHint why the server did not follow the hint, where it says so
 * @param partitions how many partitions of the events were read; empty where the events are in one piece, or nothing is told
 */
public record Plan(
        String text,
        Format format,
        List<Access> accesses,
        boolean sorted,
        boolean parallel,
        Optional<String> refusedHint,
        Optional<PartitionsRead> partitions) {

    public Plan {
        accesses = List.copyOf(accesses);
    }

    /** Of events that are in one piece. */
    public Plan(
            String text,
            Format format,
            List<Access> accesses,
            boolean sorted,
            boolean parallel,
            Optional<String> refusedHint) {
        this(text, format, accesses, sorted, parallel, refusedHint, Optional.empty());
    }

    /**
     * What is left of the partitions once those are left out that the search cannot concern.
     *
     * @param read how many were read, or would be where the search was not executed
     * @param all how many there are
     */
    public record PartitionsRead(int read, int all) {}

    /** How the text of a plan is written. */
    public enum Format {
        JSON("json"),
        TEXT("txt");

        private final String extension;

        Format(String extension) {
            this.extension = extension;
        }

        /** How the name of a file with such a text ends, without the dot. */
        public String extension() {
            return extension;
        }
    }

    /**
     * One way into the stored events.
     *
     * @param name the name of the table or index on the server
     */
    public record Access(Kind kind, String name) {

        /** What was read. */
        public enum Kind {
            /** A whole table. */
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

    /**
     * A plan that was carried out, reduced to what a reader needs. Immutable.
     *
     * @param steps from the top down, each before those below it
     */
    public record PlanTree(double planningMillis, double executionMillis, List<Step> steps) {

        public PlanTree {
            steps = List.copyOf(steps);
        }

        /**
         * One step.
         *
         * @param depth how many steps are above it
         * @param what the server's own words for it
         * @param estimated the rows that the server expected of one loop; empty where it does not tell
         * @param loops how often it was carried out; 0 if never
         * @param millis the time of all loops, with those of the steps below
         * @param rows those that came of one loop; empty where the server does not count them
         * @param misestimate how many times more or fewer rows came than were expected, where that is worth a flag
         * @param pages those that it and the steps below touched
         * @param details conditions and figures beside these
         */
        public record Step(
                int depth,
                String what,
                OptionalDouble estimated,
                double loops,
                OptionalDouble millis,
                OptionalDouble rows,
                OptionalDouble misestimate,
                Pages pages,
                List<Detail> details) {

            public Step {
                details = List.copyOf(details);
            }
        }

        /**
         * How many pages were touched.
         *
         * @param hit found in the server's cache
         * @param read fetched from outside of it
         * @param temporary read and written for what does not fit into working memory
         */
        public record Pages(long hit, long read, long temporary) {}

        /** A condition or figure by its name. */
        public record Detail(String name, String text) {}
    }
}
