package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import siemload.database.Plan;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.results.Asked;
import siemload.run.answers.AnswerSampler;

/**
 * Searches that nobody asks a database for, before the load: the Java runtime compiles what has been run a few hundred times,
 * which takes longer than the warm-up where a handful of users search now and then, and runs it slowly until then. Half of them
 * are measured, and some of their answers kept: what no search did in the warm-up is left out of the compiled code, which is
 * thrown away when the first measured search does it. Stateless.
 */
final class Rehearsal implements SearchSession {
    private static final int SEARCHES = 2_000;
    private static final double CHECKED_RATIO = 0.001;
    private static final double SELDOM = 0.9;
    private static final RowReader.Row ROW = new RowReader.DetachedRow("id", Instant.EPOCH, new byte[] {'{', '}'});
    private static final Search ANY =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private Rehearsal() {}

    /** Hands over searches as users do, one after the other; it takes about a fifth of a second. */
    static void run() {
        long now = System.nanoTime();
        LatencyRecorder recorder = new LatencyRecorder(RunClock.startingAt(
                now - Duration.ofMinutes(1).toNanos(), Duration.ofMinutes(1), Duration.ofMinutes(1)));
        CountDownLatch searches = new CountDownLatch(SEARCHES);
        try (SearchWorkers workers = new SearchWorkers(
                List.of(new Rehearsal()), recorder, new AnswerSampler(CHECKED_RATIO, Instant.EPOCH))) {
            for (int i = 0; i < SEARCHES; i++) {
                long due = now - i % 2;
                SearchRequest request =
                        new SearchRequest(ANY, PageClass.FIRST, Asked.FIRST, due, i % 3 == 0 ? 0 : SELDOM);
                workers.at(due, () -> workers.submit(request, answer -> searches.countDown()));
            }
            searches.await();
            recorder.takeIn();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long search(Search search, RowReader rows) {
        rows.row(ROW);
        return 1;
    }

    @Override
    public long count(Search search) {
        return 0;
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        return List.of();
    }

    @Override
    public Plan explain(Search search) {
        throw new UnsupportedOperationException("nobody asks a rehearsal for plans");
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        return explain(search);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {}
}
