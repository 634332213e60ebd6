package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.database.SearchSession;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunResult.SearchResult;
import siemload.run.answers.AnswerSampler;

@Timeout(30)
class SearchWorkersTest {
    private static final Search ANY =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private final LatencyRecorder recorder =
            new LatencyRecorder(RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(1)));
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void whoWaitsInTheQueueComesBeforeTheSearchOfAListener() {
        CountDownLatch queued = new CountDownLatch(1);
        CompletableFuture<Void> done = new CompletableFuture<>();
        try (SearchWorkers workers = new SearchWorkers(List.of(Fixtures.session(() -> {})), recorder, noChecks())) {
            workers.submit(request(), answer -> {
                Fixtures.await(queued);
                workers.submit(request(), next -> {
                    order.add("next of the first");
                    done.complete(null);
                });
            });
            workers.submit(request(), answer -> order.add("second"));
            queued.countDown();
            done.join();
        }
        assertThat(order).containsExactly("second", "next of the first");
    }

    /** What a replica lacked when the search began nobody demands of its answer; what it got meanwhile neither. */
    @Test
    void anAnswerMustHoldWhatItsPlaceHadWhenTheSearchBegan() {
        AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);
        AtomicLong has = new AtomicLong(request().intendedStart() - 700);
        List<Sample> taken = new CopyOnWriteArrayList<>();
        SearchSession session = Fixtures.session(() -> has.addAndGet(500));
        SearchWorkers.Answering late =
                new SearchWorkers.Answering(() -> session, now -> Math.min(now, has.get()), taken::add);
        long begun = has.get();
        CountDownLatch all = new CountDownLatch(1);
        try (SearchWorkers workers = new SearchWorkers(List.of(session), recorder, sampler, System::nanoTime, late)) {
            workers.submit(request(), answer -> all.countDown());
            Fixtures.await(all);
        }
        assertThat(sampler.answers())
                .singleElement()
                .satisfies(answer -> assertThat(answer.seenFromNanos()).isEqualTo(begun));
        assertThat(taken).hasSize(1);
    }

    @Test
    void aSearchStartsWhenItIsDueThoughItsStepComesBefore() {
        List<Long> early = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(20);
        try (SearchWorkers workers = new SearchWorkers(
                List.of(Fixtures.session(() -> {}), Fixtures.session(() -> {})), recorder, noChecks())) {
            for (int i = 1; i <= 20; i++) {
                long due = System.nanoTime() + i * 500_000L;
                workers.submit(request(due), answer -> {
                    early.add(due - answer.sample().taken());
                    all.countDown();
                });
            }
            Fixtures.await(all);
        }
        assertThat(early).hasSize(20).allMatch(nanos -> nanos <= 0);
    }

    @Test
    void whatIsStillUnderWayAtTheEndCountsOnceWithTheTimeUntilThen() {
        CountDownLatch searching = new CountDownLatch(1);
        CountDownLatch stalled = new CountDownLatch(1);
        SearchSession stall = Fixtures.session(() -> {
            searching.countDown();
            Fixtures.await(stalled);
        });
        try (SearchWorkers workers = new SearchWorkers(List.of(stall), recorder, noChecks())) {
            workers.submit(request(), answer -> order.add("never told"));
            workers.submit(request(), answer -> order.add("never told"));
            Fixtures.await(searching);
            workers.giveUp();
            workers.giveUp();
            stalled.countDown();
            CountDownLatch later = new CountDownLatch(1);
            workers.submit(request(), answer -> later.countDown());
            Fixtures.await(later);

            SearchResult result = recorder.results().get(0);
            assertThat(result.errors()).isEqualTo(Map.of("unfinished", 2L));
            assertThat(result.count()).isEqualTo(3);
        }
        assertThat(order).isEmpty();
        assertThat(recorder.running()).isZero();
    }

    private static AnswerSampler noChecks() {
        return new AnswerSampler(0, Instant.EPOCH);
    }

    private static SearchRequest request() {
        return request(System.nanoTime());
    }

    private static SearchRequest request(long due) {
        return new SearchRequest(ANY, due, 0, "");
    }
}
