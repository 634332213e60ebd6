package siemload.run.answers;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import siemload.results.SearchKey;

/**
 * An answer that was not right, in words. Instants are nanoseconds of {@link System#nanoTime}.
 *
 * @param key what the search was measured as
 * @param search all that is needed to ask it again: for statements their text with the values
 * @param seenFromNanos what was acknowledged before must be in it
 * @param endNanos what was first sent afterwards cannot be in it
 * @param faults what is wrong with it, 1 or more
 * @param expected the right answer where the faults do not say it; empty otherwise
 * @param found what came back
 */
public record WrongAnswer(
        SearchKey key,
        String search,
        long seenFromNanos,
        long endNanos,
        List<String> faults,
        String expected,
        String found) {
    private static final int MOST_IN_FILE = 100;
    private static final int LONGEST_SEARCH = 10_000;

    public WrongAnswer {
        search = search.length() > LONGEST_SEARCH ? search.substring(0, LONGEST_SEARCH) + "..." : search;
        faults = List.copyOf(faults);
    }

    static WrongAnswer of(SampledAnswer sample, List<String> faults) {
        return new WrongAnswer(
                sample.key(),
                sample.search().toString(),
                sample.seenFromNanos(),
                sample.endNanos(),
                faults,
                "",
                sample.words());
    }

    /** The same on another clock. */
    public WrongAnswer shifted(long moreNanos) {
        return new WrongAnswer(
                key, search, seenFromNanos + moreNanos, endNanos + moreNanos, faults, expected, found);
    }

    /**
     * Everything that is needed to run the search again, and what came back.
     *
     * @param startNanos the start of the run, which times are told from
     */
    String text(long startNanos) {
        StringBuilder text = new StringBuilder();
        text.append(key().label()).append('\n');
        text.append("  asked: ").append(search.replace("\n", "\n    ")).append('\n');
        text.append(String.format(
                Locale.ROOT,
                "  seconds of the run: %.6f to %.6f%n",
                (seenFromNanos - startNanos) / 1e9,
                (endNanos - startNanos) / 1e9));
        faults.forEach(fault -> text.append("  wrong: ").append(fault).append('\n'));
        if (!expected.isEmpty()) {
            text.append("  expected: ").append(expected).append('\n');
        }
        return text.append("  got: ").append(found).append('\n').toString();
    }

    /** The first of them with all that is needed to run them again, and how many more there are. */
    public static String texts(List<WrongAnswer> wrong, long startNanos) {
        String first = wrong.stream()
                .limit(MOST_IN_FILE)
                .map(one -> one.text(startNanos) + "\n")
                .collect(Collectors.joining());
        return wrong.size() > MOST_IN_FILE
                ? first + String.format(Locale.ROOT, "and %d more\n", wrong.size() - MOST_IN_FILE)
                : first;
    }
}
