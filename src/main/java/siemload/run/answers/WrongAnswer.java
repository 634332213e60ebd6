package siemload.run.answers;

import java.util.List;
import siemload.query.TrendCatalog;
import siemload.results.SearchKey;

/**
 * An answer that was not right, in words. Instants are nanoseconds of {@link System#nanoTime}.
 *
 * @param key what the search was measured as
 * @param search all that is needed to ask it again
 * @param from where its window begins
 * @param seenFromNanos as that of {@link SampledAnswer}, and so is the end
 * @param faults what is wrong with it, 1 or more
 * @param found what came back
 */
public record WrongAnswer(
        SearchKey key,
        String search,
        String from,
        long seenFromNanos,
        long endNanos,
        List<String> faults,
        String found) {
    private static final int SHOWN_ROWS = 200;

    public WrongAnswer {
        faults = List.copyOf(faults);
    }

    static WrongAnswer of(SampledAnswer sample, List<String> faults) {
        return new WrongAnswer(
                sample.key(),
                sample.search().toString(),
                sample.search().window().from().toString(),
                sample.seenFromNanos(),
                sample.endNanos(),
                faults,
                found(sample.answer()));
    }

    /** The same on another clock. */
    public WrongAnswer shifted(long moreNanos) {
        return new WrongAnswer(key, search, from, seenFromNanos + moreNanos, endNanos + moreNanos, faults, found);
    }

    /** Whether it is an hour of a trend. */
    public boolean isOfTrend() {
        return TrendCatalog.summary(key().search()).isPresent();
    }

    /** In one line: {@code CATEGORYTREND of 2016-06-06T12:00:00Z: line ...}. */
    public String summary() {
        return key().search() + " of " + from + ": " + faults.get(0);
    }

    /**
     * Everything that is needed to run the search again, and what came back.
     *
     * @param startNanos the start of the run, which times are told from
     */
    public String text(long startNanos) {
        StringBuilder text = new StringBuilder();
        text.append(key().label()).append('\n');
        text.append("  search: ").append(search).append('\n');
        text.append(String.format(
                java.util.Locale.ROOT,
                "  seconds of the run: %.6f to %.6f%n",
                (seenFromNanos - startNanos) / 1e9,
                (endNanos - startNanos) / 1e9));
        faults.forEach(fault -> text.append("  wrong: ").append(fault).append('\n'));
        return text.append("  found: ").append(found).append('\n').toString();
    }

    private static String found(Answer answer) {
        if (answer instanceof Answer.PageRows page) {
            List<String> ids = page.rows().ids();
            String shown = String.join(", ", ids.subList(0, Math.min(SHOWN_ROWS, ids.size())));
            return ids.size() + " rows: " + shown + (ids.size() > SHOWN_ROWS ? ", ..." : "");
        } else if (answer instanceof Answer.WholeResult whole) {
            return whole.stored().count() + " rows of the data set, "
                    + whole.fed().size() + " fed ones";
        } else if (answer instanceof Answer.Count count) {
            return "a count of " + count.rows();
        } else if (answer instanceof Answer.Lines lines) {
            return lines.lines().toString();
        } else if (answer instanceof Answer.StatementRows statement) {
            return statement.rows().count() + " rows";
        }
        throw new AssertionError("a kind of answer without a text: " + answer);
    }
}
