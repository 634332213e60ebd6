package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.run.answers.Answer.Row;

/**
 * Holds sampled answers against others to the same search, where nobody knows the right ones: those that come when it is asked again,
 * in other ways, and, of a page, the rows of the whole result. Used by one thread.
 */
public final class RepeatedSearches {
    /** So many searches are asked again at most: each costs the server what it cost before, several times. */
    static final int MOST_SEARCHES = 200;
    /** A page that ends behind so many rows is not looked up in the whole result. */
    static final int MOST_ROWS = 100_000;

    private static final int PORTION = 1_000;

    private final Map<String, SearchSession> ways;
    private final Instant dataUntil;
    private final List<WrongAnswer> differing = new ArrayList<>();
    private long asked;
    private long looked;
    private long failed;
    private Optional<String> firstFailure = Optional.empty();

    /**
     * None yet.
     *
     * @param ways sessions by what is different about them, for people
     * @param dataUntil as for the {@link AnswerSampler}
     */
    public RepeatedSearches(Map<String, SearchSession> ways, Instant dataUntil) {
        this.ways = new LinkedHashMap<>(ways);
        this.dataUntil = dataUntil;
    }

    /** How many of the sampled searches are asked again. */
    public long number(AnswerSampler sampler) {
        return Math.min(MOST_SEARCHES, sampler.answers().size());
    }

    /**
     * Asks them, those with the lowest draws first.
     *
     * @param progress hears how many more were asked
     * @param givenUp whether to stop; asked before each
     */
    public void ask(AnswerSampler sampler, IntConsumer progress, BooleanSupplier givenUp) {
        for (SampledAnswer sample : sampler.answers()) {
            if (asked + failed >= MOST_SEARCHES || givenUp.getAsBoolean()) {
                return;
            }
            try {
                List<String> faults = faults(sample);
                asked++;
                if (!faults.isEmpty()) {
                    differing.add(WrongAnswer.of(sample, faults));
                }
            } catch (SearchException unanswered) {
                failed++;
                firstFailure =
                        firstFailure.or(() -> Optional.of(sample.key().label() + ": " + unanswered.getMessage()));
            }
            progress.accept(1);
        }
    }

    private List<String> faults(SampledAnswer sample) {
        List<String> faults = new ArrayList<>();
        ways.forEach((way, session) -> difference(sample.answer(), answer(sample, session))
                .ifPresent(what -> faults.add("asked " + way + ": " + what)));
        if (sample.answer() instanceof Answer.PageRows page) {
            outOfOrder(page.rows(), sample.search().order()).ifPresent(faults::add);
        }
        if (sample.answer() instanceof Answer.PageRows page && sample.search().page() instanceof Page.Sized sized) {
            inWholeResult(sample.search(), sized, page.rows()).ifPresent(faults::add);
        }
        return faults;
    }

    private Answer answer(SampledAnswer sample, SearchSession session) {
        Search search = sample.search();
        AnswerSampler one = new AnswerSampler(1, dataUntil);
        AnswerWatch watch = one.watch(search, sample.key().page(), 0);
        long rows = switch (sample.key().page()) {
            case COUNT -> session.count(search);
            case SUMMARY -> {
                List<Summary.Line> lines =
                        session.summarize(search, search.summary().orElseThrow());
                watch.lines(lines);
                yield lines.size();
            }
            case FIRST, DEEPER, LAST, WHOLE, STATEMENT ->
                session.search(search, row -> watch.row(row.detectTime(), row.id()));
        };
        watch.answered(0, 0, rows);
        return one.answers().get(0).answer();
    }

    private static Optional<String> difference(Answer first, Answer again) {
        if (first instanceof Answer.PageRows one && again instanceof Answer.PageRows other) {
            return difference(one.rows(), other.rows());
        } else if (first instanceof Answer.WholeResult one && again instanceof Answer.WholeResult other) {
            return one.stored().sameAs(other.stored())
                            && difference(one.fed(), other.fed()).isEmpty()
                            && one.misplaced().equals(other.misplaced())
                    ? Optional.empty()
                    : Optional.of("not the same rows: "
                            + (other.stored().count() + other.fed().size()) + " instead of "
                            + (one.stored().count() + one.fed().size()));
        } else if (first instanceof Answer.Count one && again instanceof Answer.Count other) {
            return one.rows() == other.rows()
                    ? Optional.empty()
                    : Optional.of("a count of " + other.rows() + " instead of " + one.rows());
        } else if (first instanceof Answer.Lines one && again instanceof Answer.Lines other) {
            return one.lines().equals(other.lines())
                    ? Optional.empty()
                    : Optional.of("other lines: " + other.lines().size() + " instead of "
                            + one.lines().size());
        }
        throw new AssertionError("answers of two kinds to one search: " + first + ", " + again);
    }

    /** Ids at equal times have the order that the layout gives them. */
    private static Optional<String> outOfOrder(List<Row> rows, Order order) {
        for (int row = 1; row < rows.size(); row++) {
            int later = Long.compare(rows.get(row).micros(), rows.get(row - 1).micros());
            if ((order == Order.NEWEST_FIRST && later > 0) || (order == Order.OLDEST_FIRST && later < 0)) {
                return Optional.of(
                        "wrong order: row " + (row + 1) + ", " + rows.get(row).id());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> difference(List<Row> one, List<Row> other) {
        for (int row = 0; row < Math.min(one.size(), other.size()); row++) {
            if (!one.get(row).equals(other.get(row))) {
                return Optional.of("row " + (row + 1) + " is " + other.get(row).id() + " instead of "
                        + one.get(row).id());
            }
        }
        return one.size() == other.size()
                ? Optional.empty()
                : Optional.of(other.size() + " rows instead of " + one.size());
    }

    /** The whole result is read in order as far as the page goes. */
    private Optional<String> inWholeResult(Search search, Page.Sized page, List<Row> rows) {
        Optional<List<Row>> whole = whole(search, page);
        if (whole.isEmpty()) {
            return Optional.empty();
        }
        List<Row> all = whole.orElseThrow();
        int from = first(all, page);
        if (from < 0) {
            return Optional.empty();
        }
        looked++;
        int until = (int) Math.min(all.size(), from + (long) page.size());
        List<Row> right = from < until ? all.subList(from, until) : List.of();
        return difference(right, rows).map(what -> "against the whole result: " + what);
    }

    /** The place of the page's first row; negative where the key that it comes behind is none of the rows. */
    private static int first(List<Row> all, Page.Sized page) {
        if (page instanceof Page.Numbered numbered) {
            return (int) Math.min(numbered.offset(), MOST_ROWS);
        }
        return page instanceof Page.After after ? firstAfter(all, after) : Math.max(0, all.size() - page.size());
    }

    private static int firstAfter(List<Row> all, Page.After page) {
        for (int row = 0; row < all.size(); row++) {
            if (all.get(row).id().equals(page.key().id())) {
                return row + 1;
            }
        }
        return -1;
    }

    /** Empty where it would be too long. */
    private Optional<List<Row>> whole(Search search, Page.Sized page) {
        List<Row> rows = new ArrayList<>();
        SearchSession session = ways.values().iterator().next();
        try (ResultCursor cursor = session.open(search.with(new Page.Whole()))) {
            long read;
            do {
                read = cursor.next(PORTION, row -> rows.add(new Row(row.detectTime(), row.id())));
            } while (read == PORTION && !isEnough(rows, page) && rows.size() < MOST_ROWS);
            return read < PORTION || isEnough(rows, page) ? Optional.of(rows) : Optional.empty();
        }
    }

    private static boolean isEnough(List<Row> rows, Page.Sized page) {
        int first = page instanceof Page.Last ? -1 : first(rows, page);
        return first >= 0 && rows.size() >= first + (long) page.size();
    }

    /** How many searches were asked again and answered. */
    public long asked() {
        return asked;
    }

    /** How many pages were held against the whole result. */
    public long looked() {
        return looked;
    }

    /** How many searches had another answer than at first, in one of the ways or in the whole result. */
    public long differing() {
        return differing.size();
    }

    /** How many searches could not be asked again. */
    public long failed() {
        return failed;
    }

    /** Why, of the first of them. */
    public Optional<String> firstFailure() {
        return firstFailure;
    }

    /** The check where nobody has written meanwhile: of answers that differ one is wrong. */
    public CheckedAnswers checked(AnswerSampler sampler) {
        return new CheckedAnswers(sampler.askedRatio(), asked, leftOut(sampler), differing);
    }

    /** The check where somebody has: only answers that are the same say anything. */
    public CheckedAnswers unchecked(AnswerSampler sampler) {
        long same = asked - differing();
        return new CheckedAnswers(sampler.askedRatio(), same, leftOut(sampler) + differing(), List.of());
    }

    private long leftOut(AnswerSampler sampler) {
        return sampler.leftOut() + sampler.answers().size() - asked;
    }
}
