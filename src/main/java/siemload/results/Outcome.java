package siemload.results;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The outcome of a search; each kind of failure is counted separately. */
public enum Outcome {
    OK,
    TIMEOUT,
    CANCELLED,
    /** The search had not ended when the run gave up waiting; it took at least the time until then. */
    UNFINISHED,
    CONNECTION,
    REFUSED,
    OTHER;

    /** The name in results: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The number of these errors, by their names in results, that are of searches that were given up. */
    public static long givenUp(Map<String, Long> errors) {
        return errors.entrySet().stream()
                .filter(error -> isOfGivenUp(error.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns whether an error by its name in results, {@code timeout 57014}, is that of a search that was given up. */
    private static boolean isOfGivenUp(String error) {
        return Stream.of(values())
                .filter(Outcome::gaveUp)
                .anyMatch(outcome -> error.equals(outcome.label()) || error.startsWith(outcome.label() + " "));
    }

    /**
     * Returns whether the search was given up before its answer came. The answer would have taken at least that long, so the time is among
     * the response times.
     */
    public boolean gaveUp() {
        return this == TIMEOUT || this == CANCELLED || this == UNFINISHED;
    }
}
