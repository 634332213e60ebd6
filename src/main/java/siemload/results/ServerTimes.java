package siemload.results;

import java.util.List;

/**
 * How long the server itself worked on searches, as it counts that: a mean over the measured phase, without the way there and
 * back. Immutable.
 *
 * @param source the server's own name of what it counts in; empty where it does not tell
 * @param covers what is in these times and what is not, for people; empty where it does not tell
 * @param untold why there are none, for people; empty where there are some
 * @param statements the statements that searches of the run were answered by
 */
public record ServerTimes(String source, String covers, String untold, List<Statement> statements) {
    public ServerTimes {
        statements = List.copyOf(statements);
    }

    /**
     * Searches that the server cannot tell apart, since it answers them by the same statements.
     *
     * @param searches the kinds of search, as logs name them: {@code HAWAT1-first-newestFirst}
     * @param calls how many such statements the server counted; those of probes are among them, and those of searches that
     *     began in the warm-up; 0 where it counts something else than searches
     * @param planningMicros the mean time for planning; 0 where it is left out or not told apart
     * @param executionMicros the mean time for everything else
     */
    public record Statement(List<String> searches, long calls, double planningMicros, double executionMicros) {
        public Statement {
            searches = List.copyOf(searches);
        }

        /** Both together. */
        public double micros() {
            return planningMicros + executionMicros;
        }
    }
}
