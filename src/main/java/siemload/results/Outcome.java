package siemload.results;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The outcome of a search; each kind of failure is counted separately. */
public enum Outcome {
    OK,
    TIMEOUT,
    CANCELLED,
    /** The search had not ended when the run gave up waiting; its time is at least the time until then. */
    UNFINISHED,
    CONNECTION,
    REFUSED,
    OTHER;

    /** Returns the name of the outcome in results, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns how many of these errors, keyed by their names in results, are of searches that were given up. */
    public static long givenUp(Map<String, Long> errors) {
        return errors.entrySet().stream()
                .filter(error -> isOfGivenUp(error.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns whether the error with this name in results, such as {@code timeout 57014}, means that the search was given up. */
    private static boolean isOfGivenUp(String error) {
        return Stream.of(values())
                .filter(Outcome::gaveUp)
                .anyMatch(outcome -> error.equals(outcome.label()) || error.startsWith(outcome.label() + " "));
    }

    /**
     * Returns whether the search was given up before its answer came. The answer would have taken at least until then, so the time counts
     * as a response time.
     */
    public boolean gaveUp() {
        return this == TIMEOUT || this == CANCELLED || this == UNFINISHED;
    }
}
