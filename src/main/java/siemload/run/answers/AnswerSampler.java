package siemload.run.answers;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;
import siemload.database.SearchSession.RowReader;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Statement;
import siemload.query.Summary;
import siemload.results.SearchKey;

/**
 * Selects the searches whose answers are checked, and keeps their answers until the load is over. A search is selected if its random number
 * is below the ratio, or among the {@value #FEWEST_ANSWERS} lowest of the run, so that a short run is checked, too. Only the random numbers
 * decide: the same searches are selected in every run with the same seed, in whatever order they end.
 *
 * <p>Memory is bounded: if there are too many answers, those with the highest random numbers are left out, so that the rest is a fair
 * sample of the whole run. Thread-safe; a search that is not selected costs only a comparison.
 */
public final class AnswerSampler {
    /** The minimum number of answers that are checked, even if the ratio asks for fewer; none are checked if the ratio is 0. */
    static final int FEWEST_ANSWERS = 20;

    private static final Comparator<SampledAnswer> BY_DRAW = Comparator.comparingDouble(answer -> answer.draw);

    private final Optional<RepeatedAnswers> repeats;
    private final double askedRatio;
    private final Instant dataUntil;
    private final int mostAnswers;
    private final int mostRows;
    private final LongAdder leftOut = new LongAdder();
    private final PriorityQueue<SampledAnswer> answers = new PriorityQueue<>(BY_DRAW.reversed());
    /** Searches whose random number is not below this one are left out for lack of memory. */
    private double fittingBelow = 1;
    /** Searches whose random number is not below this one cannot come into the sample any more. */
    private volatile double pickedBelow;

    private long keptRows;

    /** Watches the answer to one search. Used by the thread that runs the search. */
    public interface AnswerWatch {

        /** Ignores everything; for searches that are not in the sample. */
        AnswerWatch NOBODY = (seenFromNanos, endNanos, reportedRows) -> {};

        /** Takes the next row, with its whole content; the array is not changed afterwards. */
        default void row(RowReader.Row row, byte[] content) {}

        /** Takes the lines of a summary. */
        default void lines(List<Summary.Line> lines) {}

        /**
         * Takes the end of an answered search; it need not be called for other searches.
         *
         * @param seenFromNanos when the search started, or when its cursor was opened
         * @param endNanos when the last row was read
         * @param reportedRows the number of rows or lines, or the count, that the session reported
         */
        void answered(long seenFromNanos, long endNanos, long reportedRows);
    }

    /**
     * Creates a sampler for one run.
     *
     * @param ratio the share of the searches to check, 0 to 1; 0 for none
     * @param dataUntil the first instant after the data set's detect times; fed events have this detect time or a later one
     */
    public AnswerSampler(double ratio, Instant dataUntil) {
        this(ratio, dataUntil, Optional.empty(), 10_000, 300_000);
    }

    AnswerSampler(double ratio, Instant dataUntil, Optional<RepeatedAnswers> repeats, int mostAnswers, int mostRows) {
        this.repeats = repeats;
        this.askedRatio = ratio;
        this.dataUntil = dataUntil;
        this.mostAnswers = mostAnswers;
        this.mostRows = mostRows;
        this.pickedBelow = ratio > 0 ? 1 : 0;
    }

    /**
     * Creates a sampler for statements. The right answers to statements are unknown, so answers are compared with each other.
     *
     * @param ratio 0 to compare no answers
     * @param statements all statements of the scenario; answers to statements that write are not compared
     */
    public static AnswerSampler ofRepeats(double ratio, Collection<Statement> statements) {
        return new AnswerSampler(ratio, Instant.EPOCH, Optional.of(new RepeatedAnswers(statements)), 0, 0);
    }

    /** Returns the result of comparing answers with each other; empty if answers are compared with the events. */
    public Optional<RepeatedAnswers> repeats() {
        return repeats;
    }

    /**
     * Returns the watch that keeps the answer to a search; {@link AnswerWatch#NOBODY} if the search is not selected.
     *
     * @param page how the user came to the page; it decides between rows, count and summary
     * @param draw a uniform random number for this search, 0 (included) to 1 (excluded)
     */
    public AnswerWatch watch(Search search, PageClass page, double draw) {
        if (draw >= pickedBelow) {
            return AnswerWatch.NOBODY;
        }
        SearchKey key = new SearchKey(search.name(), page, search.order());
        if (repeats.isPresent()) {
            return repeats.get().watch(search, key);
        }
        return new SampledAnswer(key, search, draw, dataUntil, this::add);
    }

    /** Returns the share of the searches that was to be checked, 0 to 1. */
    public double askedRatio() {
        return askedRatio;
    }

    /** Returns the selected answers, those with the lowest random numbers first. */
    public synchronized List<SampledAnswer> answers() {
        return answers.stream().sorted(BY_DRAW).toList();
    }

    /** Returns how many answers should have been checked but did not fit into memory. */
    public long leftOut() {
        return leftOut.sum();
    }

    private synchronized void add(SampledAnswer answer) {
        if (answer.isTooLong() || answer.draw >= fittingBelow) {
            if (answer.isTooLong() || answer.draw < askedRatio) {
                leftOut.increment();
            }
            return;
        }
        answers.add(answer);
        keptRows += answer.keptRows();
        while (answers.size() > FEWEST_ANSWERS && highestDraw() >= askedRatio) {
            removeHighest();
        }
        while (answers.size() > mostAnswers || keptRows > mostRows) {
            fittingBelow = highestDraw();
            removeHighest();
            leftOut.increment();
        }
        boolean anyIsNeeded = answers.size() < FEWEST_ANSWERS && fittingBelow == 1;
        pickedBelow = anyIsNeeded ? 1 : Math.max(askedRatio, highestDraw());
    }

    /** Returns the highest random number of the sample; 0 if the sample is empty. */
    private double highestDraw() {
        return answers.isEmpty() ? 0 : answers.element().draw;
    }

    private void removeHighest() {
        keptRows -= answers.remove().keptRows();
    }
}
