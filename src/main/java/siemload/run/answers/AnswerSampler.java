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
 * Picks the searches whose answers are checked, and keeps their answers until the load is over. A search is picked if the
 * number drawn for it is below the ratio, or among the {@value #FEWEST_ANSWERS} lowest of the run, so that a short run is
 * checked, too. The draws alone decide: the same searches are picked in every run with the same seed, whatever the order
 * in which they end.
 *
 * <p>Memory is bounded: where the answers become too many, those with the highest draws are left out, so that what remains
 * is a fair sample of the whole run all the same. Thread-safe; a search that is not picked costs a comparison.
 */
public final class AnswerSampler {
    /** How many answers are checked of a run with fewer than the ratio asks for; of none where the ratio is 0. */
    static final int FEWEST_ANSWERS = 20;

    private static final Comparator<SampledAnswer> BY_DRAW = Comparator.comparingDouble(answer -> answer.draw);

    private final Optional<RepeatedAnswers> repeats;
    private final double askedRatio;
    private final Instant dataUntil;
    private final int mostAnswers;
    private final int mostRows;
    private final LongAdder leftOut = new LongAdder();
    private final PriorityQueue<SampledAnswer> answers = new PriorityQueue<>(BY_DRAW.reversed());
    /** Draws from here on are left out for want of memory. */
    private double fittingBelow = 1;
    /** Draws from here on cannot come into the sample any more. */
    private volatile double pickedBelow;

    private long keptRows;

    /** Looks over the shoulder of one search. Used by the thread that runs the search. */
    public interface AnswerWatch {

        /** For searches that are not in the sample. */
        AnswerWatch NOBODY = (seenFromNanos, endNanos, reportedRows) -> {};

        /** Takes the next row, with its whole content; the array is not changed afterwards. */
        default void row(RowReader.Row row, byte[] content) {}

        /** Takes the lines of a summary. */
        default void lines(List<Summary.Line> lines) {}

        /**
         * Takes the end of a search that was answered; it need not be called for others.
         *
         * @param seenFromNanos when the search started, or when the cursor was opened that it read from
         * @param endNanos when the last row was read
         * @param reportedRows the number of rows or lines, or the count, that the session reported
         */
        void answered(long seenFromNanos, long endNanos, long reportedRows);
    }

    /**
     * A sampler for one run.
     *
     * @param ratio the share of the searches to check, 0 to 1; 0 for none at all
     * @param dataUntil the first instant after the data set's detect times; those of fed events are not before it
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
     * For statements, of whose answers nobody knows what is right: all of them are held against each other.
     *
     * @param ratio 0 for none at all
     * @param statements all that are asked; answers of those that write are not compared
     */
    public static AnswerSampler ofRepeats(double ratio, Collection<Statement> statements) {
        return new AnswerSampler(ratio, Instant.EPOCH, Optional.of(new RepeatedAnswers(statements)), 0, 0);
    }

    /** What came of answers that are held against each other; empty where they are held against the events. */
    public Optional<RepeatedAnswers> repeats() {
        return repeats;
    }

    /**
     * What keeps the answer of a search, or nothing where it is not picked.
     *
     * @param page how the user came to the page; it decides between rows, count and summary
     * @param draw drawn for this search alone, 0 (included) to 1 (excluded), all alike
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

    /** The share of the searches that was to be checked, 0 to 1. */
    public double askedRatio() {
        return askedRatio;
    }

    /** The answers picked, those with the lowest draws first. */
    public synchronized List<SampledAnswer> answers() {
        return answers.stream().sorted(BY_DRAW).toList();
    }

    /** How many answers should have been checked but did not fit into memory. */
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

    /** The highest draw of the sample, 0 where it is empty. */
    private double highestDraw() {
        return answers.isEmpty() ? 0 : answers.element().draw;
    }

    private void removeHighest() {
        keptRows -= answers.remove().keptRows();
    }
}
