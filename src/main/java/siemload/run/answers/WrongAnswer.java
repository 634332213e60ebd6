package siemload.run.answers;

import java.util.ArrayList;
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
        return new WrongAnswer(key, search, seenFromNanos + moreNanos, endNanos + moreNanos, faults, expected, found);
    }

    /**
     * Everything that is needed to run the search again, and what came back.
     *
     * @param startNanos the start of the run, which times are told from
     */
    String text(long startNanos) {
        double begun = (seenFromNanos - startNanos) / 1e9;
        double ended = (endNanos - startNanos) / 1e9;
        List<String> lines = new ArrayList<>(List.of(key.label(), "  asked: " + search.replace("\n", "\n    ")));
        lines.add(String.format(Locale.ROOT, "  seconds of the run: %.6f to %.6f", begun, ended));
        faults.forEach(fault -> lines.add("  wrong: " + fault));
        if (!expected.isEmpty()) {
            lines.add("  expected: " + expected);
        }
        lines.add("  got: " + found);
        return String.join("\n", lines) + "\n";
    }

    /** The first of them with all that is needed to run them again, and how many more there are. */
    public static String texts(List<WrongAnswer> wrong, long startNanos) {
        int more = wrong.size() - MOST_IN_FILE;
        return wrong.stream()
                .limit(MOST_IN_FILE)
                .map(one -> one.text(startNanos) + "\n")
                .collect(Collectors.joining("", "", more > 0 ? "and " + more + " more\n" : ""));
    }
}
