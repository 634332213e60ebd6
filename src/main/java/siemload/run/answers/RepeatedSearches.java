package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;

/**
 * Compares sampled answers with other answers to the same search, if the right answers are unknown. The search is repeated and, for a page,
 * its whole result is read. Used by one thread.
 */
public final class RepeatedSearches {
    /** The maximum number of repeated searches: each costs the server as much as the first time and, for a page, the whole result. */
    private static final int MOST_SEARCHES = 200;
    /** A page that ends after this many rows is not looked up in the whole result. */
    private static final int MOST_ROWS = 100_000;

    private static final int PORTION = 1_000;

    private final SearchSession session;
    private final AnswerSampler sampler;
    private final List<CheckedAnswers.WrongAnswer> differing = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private long asked;
    private long looked;

    public RepeatedSearches(SearchSession session, AnswerSampler sampler) {
        this.session = session;
        this.sampler = sampler;
    }

    /** Returns the sampled searches to be repeated: those with the lowest random numbers. */
    public List<SampledAnswer> samples() {
        return sampler.answers().stream().limit(MOST_SEARCHES).toList();
    }

    /**
     * Repeats the sampled searches, and compares the new answers with the first ones.
     *
     * @param progress receives the number of newly repeated searches
     * @param givenUp whether to stop; checked before each search
     */
    public CheckedAnswers.ComparedAnswers ask(IntConsumer progress, BooleanSupplier givenUp) {
        for (SampledAnswer sample : samples()) {
            if (givenUp.getAsBoolean()) {
                break;
            }
            try {
                List<String> faults = faults(sample);
                asked++;
                if (!faults.isEmpty()) {
                    differing.add(sample.wrong(faults));
                }
            } catch (SearchException unanswered) {
                failures.add(sample.key.label() + ": " + unanswered.getMessage());
            }
            progress.accept(1);
        }
        String done = "%,d searches were repeated, and %,d pages were looked up in the whole result";
        String words = CheckedAnswers.formatted(done, asked, looked);
        if (!failures.isEmpty()) {
            words += CheckedAnswers.formatted("; %,d searches failed: %s", failures.size(), failures.get(0));
        }
        long left = sampler.leftOut() + sampler.answers().size() - asked;
        CheckedAnswers unchanged = new CheckedAnswers(sampler.askedRatio(), asked, left, differing);
        return new CheckedAnswers.ComparedAnswers(words, unchanged, differing.size());
    }

    private List<String> faults(SampledAnswer sample) {
        List<String> faults = new ArrayList<>();
        again(sample).differenceFrom(sample).ifPresent(what -> faults.add("asked again: " + what));
        PageClass kind = sample.key.page();
        if (kind != PageClass.COUNT && kind != PageClass.SUMMARY && sample.search.page() instanceof Page.Sized sized) {
            outOfOrder(sample.rows, sample.search.order()).ifPresent(faults::add);
            rightRows(sample.search, sized)
                    .flatMap(right -> SampledAnswer.difference(right, sample.rows))
                    .ifPresent(what -> faults.add("compared with the whole result: " + what));
        }
        return faults;
    }

    private SampledAnswer again(SampledAnswer sample) {
        Search search = sample.search;
        SampledAnswer watch = sample.again();
        long rows = switch (sample.key.page()) {
            case COUNT -> session.count(search);
            case SUMMARY -> {
                watch.lines(session.summarize(search, search.summary().orElseThrow()));
                yield watch.keptRows();
            }
            case FIRST, DEEPER, LAST, WHOLE, STATEMENT -> session.search(search, row -> watch.row(row, new byte[0]));
        };
        watch.answered(0, 0, rows);
        return watch;
    }

    /** Finds the first row in wrong order. Only times are compared: ids at equal times have the order of the layout. */
    private static Optional<String> outOfOrder(List<PageKey> rows, Order order) {
        int wrong = order == Order.NEWEST_FIRST ? 1 : order == Order.OLDEST_FIRST ? -1 : 2;
        return IntStream.range(1, rows.size())
                .filter(row -> Integer.signum(rows.get(row)
                                .detectTime()
                                .compareTo(rows.get(row - 1).detectTime()))
                        == wrong)
                .mapToObj(row ->
                        "wrong order: row " + (row + 1) + ", " + rows.get(row).id())
                .findFirst();
    }

    /** Returns the rows that the page should have, from the whole result, read up to the page's end; empty if it ends too late. */
    private Optional<List<PageKey>> rightRows(Search search, Page.Sized page) {
        List<PageKey> rows = new ArrayList<>();
        // The index of the page's first row; negative until the page's key, or the last row, was read.
        long from = page instanceof Page.Numbered numbered ? numbered.offset() : -1;
        try (SearchSession.ResultCursor cursor = session.open(search.with(new Page.Whole()))) {
            boolean isAll = false;
            while (!isAll && rows.size() < MOST_ROWS && (from < 0 || rows.size() < from + page.size())) {
                isAll = cursor.next(PORTION, row -> rows.add(row.key().inMicroseconds())) < PORTION;
                if (page instanceof Page.After after && from < 0) {
                    int key = rows.indexOf(after.key().inMicroseconds());
                    from = key < 0 ? -1 : key + 1;
                } else if (page instanceof Page.Last && isAll) {
                    from = Math.max(0, rows.size() - page.size());
                }
            }
            if (from < 0 || (!isAll && rows.size() < from + page.size())) {
                return Optional.empty();
            }
        }
        looked++;
        return Optional.of(rows.stream().skip(from).limit(page.size()).toList());
    }
}
