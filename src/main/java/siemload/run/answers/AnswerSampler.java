package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.results.SearchKey;

/**
 * Picks the searches whose answers are checked, and keeps their answers until the load is over. A search is picked if the
 * number drawn for it is below the ratio; so the same searches are picked in every run with the same seed, whatever the
 * order in which they end.
 *
 * <p>Memory is bounded: where the answers become too many, the ratio is halved and those above it are left out, so that
 * what remains is a fair sample of the whole run all the same. Thread-safe; a search that is not picked costs a
 * comparison.
 */
public final class AnswerSampler {
    private static final int MOST_ANSWERS = 10_000;
    private static final int MOST_ROWS = 300_000;

    private final double askedRatio;
    private final long dataUntilMicros;
    private final int mostAnswers;
    private final int mostRows;
    private final LongAdder leftOut = new LongAdder();
    private final List<SampledAnswer> answers = new ArrayList<>();
    private volatile double ratio;
    private long keptRows;

    /**
     * A sampler for one run.
     *
     * @param ratio the share of the searches to check, 0 to 1
     * @param dataUntil the first instant after the data set's detect times; those of fed events are not before it
     */
    public AnswerSampler(double ratio, Instant dataUntil) {
        this(ratio, dataUntil, MOST_ANSWERS, MOST_ROWS);
    }

    AnswerSampler(double ratio, Instant dataUntil, int mostAnswers, int mostRows) {
        this.askedRatio = ratio;
        this.ratio = ratio;
        this.dataUntilMicros = Micros.of(dataUntil);
        this.mostAnswers = mostAnswers;
        this.mostRows = mostRows;
    }

    /**
     * Whoever is to watch a search.
     *
     * @param page how the user came to the page; it decides between rows, count and summary
     * @param draw drawn for this search alone, 0 (included) to 1 (excluded), all alike
     */
    public AnswerWatch watch(Search search, PageClass page, double draw) {
        if (draw >= askedRatio) {
            return AnswerWatch.NOBODY;
        }
        SearchKey key = new SearchKey(search.name(), page, search.order());
        return new SampledSearch(this, key, search, draw, dataUntilMicros);
    }

    /** The share of the searches that was to be checked, 0 to 1. */
    public double askedRatio() {
        return askedRatio;
    }

    /** The answers picked. */
    public synchronized List<SampledAnswer> answers() {
        return List.copyOf(answers);
    }

    /** How many answers should have been checked but did not fit into memory. */
    public long leftOut() {
        return leftOut.sum();
    }

    void leaveOut() {
        leftOut.increment();
    }

    synchronized void add(SampledAnswer answer) {
        if (answer.draw() >= ratio) {
            leaveOut();
            return;
        }
        answers.add(answer);
        keptRows += answer.answer().keptRows();
        while (answers.size() > mostAnswers || keptRows > mostRows) {
            ratio /= 2;
            answers.removeIf(this::isLeftOut);
        }
    }

    private boolean isLeftOut(SampledAnswer answer) {
        if (answer.draw() < ratio) {
            return false;
        }
        keptRows -= answer.answer().keptRows();
        leaveOut();
        return true;
    }
}
