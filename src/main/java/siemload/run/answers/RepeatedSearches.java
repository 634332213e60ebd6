package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.Store;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;

/**
 * Holds sampled answers against others to the same search, where nobody knows the right ones: those that come when it is asked again,
 * in other ways, and, of a page, the rows of the whole result. Used by one thread.
 */
public final class RepeatedSearches implements AutoCloseable {
    /** So many searches are asked again at most: each costs the server what it cost before, several times. */
    static final int MOST_SEARCHES = 200;
    /** A page that ends behind so many rows is not looked up in the whole result. */
    static final int MOST_ROWS = 100_000;

    private static final int PORTION = 1_000;

    /** Sessions by what is different about them, for people. */
    private final Map<String, SearchSession> ways;

    private final List<Hint> hints;
    private final Instant dataUntil;
    private final List<WrongAnswer> differing = new ArrayList<>();
    private long asked;
    private long looked;
    private long failed;
    private Optional<String> firstFailure = Optional.empty();

    /**
     * None yet.
     *
     * @param hints with which they are asked as well
     * @param dataUntil as for the {@link AnswerSampler}
     * @throws siemload.database.TargetException if the server refuses a connection
     */
    public RepeatedSearches(Store store, List<Hint> hints, Instant dataUntil) {
        this(new LinkedHashMap<>(), hints, dataUntil);
        ways.put("again", store.openSession());
        try {
            hints.forEach(hint -> ways.put("with hint " + hint.label(), store.openSession(hint)));
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    RepeatedSearches(Map<String, SearchSession> ways, List<Hint> hints, Instant dataUntil) {
        this.ways = ways;
        this.hints = List.copyOf(hints);
        this.dataUntil = dataUntil;
    }

    @Override
    public void close() {
        ways.values().forEach(SearchSession::close);
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
        ways.forEach((way, session) -> answer(sample, session)
                .differenceFrom(sample)
                .ifPresent(what -> faults.add("asked " + way + ": " + what)));
        PageClass kind = sample.key().page();
        if (kind != PageClass.COUNT
                && kind != PageClass.SUMMARY
                && sample.search().page() instanceof Page.Sized sized) {
            outOfOrder(sample.rows(), sample.search().order()).ifPresent(faults::add);
            rightRows(sample.search(), sized)
                    .flatMap(right -> SampledAnswer.difference(right, sample.rows()))
                    .ifPresent(what -> faults.add("against the whole result: " + what));
        }
        return faults;
    }

    private SampledAnswer answer(SampledAnswer sample, SearchSession session) {
        Search search = sample.search();
        SampledAnswer watch = new SampledAnswer(sample.key(), search, 0, dataUntil, taken -> {});
        long rows = switch (sample.key().page()) {
            case COUNT -> session.count(search);
            case SUMMARY -> {
                List<Summary.Line> lines =
                        session.summarize(search, search.summary().orElseThrow());
                watch.lines(lines);
                yield lines.size();
            }
            case FIRST, DEEPER, LAST, WHOLE, STATEMENT -> session.search(search, row -> watch.row(row, new byte[0]));
        };
        watch.answered(0, 0, rows);
        return watch;
    }

    /** Ids at equal times have the order that the layout gives them. */
    private static Optional<String> outOfOrder(List<PageKey> rows, Order order) {
        for (int row = 1; row < rows.size(); row++) {
            int later = rows.get(row).detectTime().compareTo(rows.get(row - 1).detectTime());
            if ((order == Order.NEWEST_FIRST && later > 0) || (order == Order.OLDEST_FIRST && later < 0)) {
                return Optional.of(
                        "wrong order: row " + (row + 1) + ", " + rows.get(row).id());
            }
        }
        return Optional.empty();
    }

    /** The whole result is read in order as far as the page goes; of a page that ends too far behind nothing is said. */
    private Optional<List<PageKey>> rightRows(Search search, Page.Sized page) {
        List<PageKey> rows = new ArrayList<>();
        // Where the page begins; unknown (below 0) until its key has come, or all rows.
        long[] from = {page instanceof Page.Numbered numbered ? numbered.offset() : -1};
        try (ResultCursor cursor = ways.values().iterator().next().open(search.with(new Page.Whole()))) {
            boolean isAll;
            do {
                isAll = cursor.next(PORTION, row -> {
                            rows.add(row.key().inMicroseconds());
                            if (page instanceof Page.After after
                                    && after.key().id().equals(row.id())) {
                                from[0] = rows.size();
                            }
                        })
                        < PORTION;
            } while (!isAll && rows.size() < MOST_ROWS && (from[0] < 0 || rows.size() < from[0] + page.size()));
            if (isAll && page instanceof Page.Last) {
                from[0] = Math.max(0, rows.size() - page.size());
            }
            if (from[0] < 0 || (!isAll && rows.size() < from[0] + page.size())) {
                return Optional.empty();
            }
        }
        looked++;
        return Optional.of(rows.stream().skip(from[0]).limit(page.size()).toList());
    }

    /** How the answers compare with the first ones. */
    public ComparedAnswers compared(AnswerSampler sampler) {
        String otherwise =
                hints.stream().map(Hint::label).collect(Collectors.joining(", ", " as they were and with hint ", ""));
        return new ComparedAnswers(
                String.format(
                        Locale.ROOT,
                        "%,d searches were asked again%s, and %,d pages were looked up in the whole result",
                        asked,
                        hints.isEmpty() ? "" : otherwise,
                        looked),
                sampler.askedRatio(),
                asked,
                sampler.leftOut() + sampler.answers().size() - asked,
                differing.size(),
                differing,
                failed == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; %,d could not be asked again: %s",
                                failed,
                                firstFailure.orElse("unknown")));
    }
}
