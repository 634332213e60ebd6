package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.SearchSession;
import siemload.database.scripted.Script;
import siemload.database.scripted.ScriptedSession;
import siemload.load.QueueTheory.Visit;
import siemload.measure.LatencyRecorder;
import siemload.measure.QuotaRecorder;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Asked;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.QuotaResult;
import siemload.results.SearchResult;
import siemload.run.answers.AnswerSampler;

/** In virtual time: what waits for a quota, and what becomes of it, must be what is worked out on paper. */
@Timeout(60)
class GroupQuotaTest {
    private static final long NANOS = 1_000_000;
    private static final Duration PHASE = Duration.ofSeconds(20);
    private static final int AT_ONCE = 2;

    private final LatencyRecorder recorder = new LatencyRecorder(RunClock.startingAt(0, Duration.ZERO, PHASE));
    private final QuotaRecorder.Group waits = waits();
    /** Those at the workers, in the order in which they came. */
    private final List<AtWorkers> running = new ArrayList<>();

    private final List<Long> told = new ArrayList<>();
    private long now;
    private final GroupQuota quota = new GroupQuota(AT_ONCE, recorder, waits, () -> now);
    private final Admission admission =
            quota.before((request, listener) -> running.add(new AtWorkers(request, listener)));

    private record AtWorkers(SearchRequest request, Consumer<SearchAnswer> listener) {}

    private QuotaRecorder.Group waits() {
        recorder.quotas().expect("tier-1", AT_ONCE);
        return recorder.quotas().of("tier-1");
    }

    /** 500 searches a second of 5 ms each, while two run at once: 400 a second are answered, and the queue grows for 20 s. */
    @Test
    void theWaitForTheQuotaIsInTheResponseTimeAndReportedApart() {
        LongUnaryOperator fiveLater = taken -> taken + 5 * NANOS;
        List<Visit> theory = QueueTheory.visits(Arrivals.within(PHASE, 500), AT_ONCE, fiveLater, fiveLater);

        measureWithPlentyOfWorkers();

        SearchResult measured = recorder.results().get(0);
        QuotaResult waited = recorder.quotas().results().get(0);
        List<Visit> kept =
                theory.stream().filter(visit -> visit.taken() > visit.due()).toList();
        assertThat(measured.count()).isEqualTo(10_000);
        assertAgrees(measured.times().responseTimeMicros(), theory, 5);
        assertAgrees(waited.waitMicros(), kept, 0);
        assertThat(waited.waited()).isEqualTo(kept.size()).isGreaterThan(9_900);
        assertThat(waited.letIn()).isEqualTo(10_000);
        assertThat(waited.mostRunning()).isEqualTo(AT_ONCE);
        assertThat(measured.times().serviceTimeMicros().max()).isBetween(4_995L, 5_005L);
        assertThat(recorder.quotas().waitsBeside(recorder.merged(key -> true)).max())
                .as("what the load generator has to answer for")
                .isZero();
    }

    /** Virtual time finds no rest where more than the quota run at once: each has a worker of its own. */
    private void measureWithPlentyOfWorkers() {
        VirtualTime time = new VirtualTime(AT_ONCE);
        Script script = new Script(time);
        List<SearchSession> sessions = new ArrayList<>();
        Stream.generate(() -> new ScriptedSession(script, Duration.ofMinutes(10)))
                .limit(20)
                .forEach(sessions::add);
        AnswerSampler noChecks = new AnswerSampler(0, Instant.EPOCH);
        try (SearchWorkers workers = new SearchWorkers(sessions, recorder, noChecks, time::nanos)) {
            Admission group = new GroupQuota(AT_ONCE, recorder, waits, time::nanos).before(workers);
            for (long due : Arrivals.within(PHASE, 500)) {
                time.goOnTo(due);
                time.submitted();
                group.submit(request(due), answer -> time.answered());
            }
            time.goOnToTheEnd();
        }
    }

    @Test
    void whoStillWaitsAtTheEndCountsOnceAsUnfinishedWithTheTimeUntilThen() {
        submit(0);
        submit(0);
        submit(0);
        now = 30 * NANOS;
        quota.close();
        quota.close();
        submit(10 * NANOS);

        SearchResult result = recorder.results().get(0);
        QuotaResult waited = recorder.quotas().results().get(0);
        assertThat(result.errors()).containsOnlyKeys("unfinished").containsEntry("unfinished", 2L);
        assertThat(result.times().responseTimeMicros().max()).isBetween(29_990L, 30_020L);
        assertThat(waited.letIn()).isEqualTo(2);
        assertThat(waited.waited()).isEqualTo(2);
        assertThat(recorder.running()).as("counted as ended").isZero();
        assertThat(told).as("their users go on").hasSize(2);
        end(running.get(0), Outcome.OK);
        assertThat(running).as("nobody is let in any more").hasSize(1);
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noMoreThanTheQuotaRunAndNobodyWaitsBesideAFreePlaceOrIsOvertaken(long seed) {
        Random random = new Random(seed);
        AtomicInteger ended = new AtomicInteger();
        List<Long> letIn = new ArrayList<>();
        GroupQuota any = new GroupQuota(AT_ONCE, recorder, waits, () -> now);
        Admission anyOfIt = any.before((request, listener) -> {
            letIn.add(request.intendedStart());
            running.add(new AtWorkers(request, listener));
        });
        int submitted = 0;
        for (int step = 0; step < 300; step++) {
            now += random.nextInt(1_000);
            if (running.isEmpty() || random.nextInt(5) < 3) {
                anyOfIt.submit(request(submitted++), answer -> ended.incrementAndGet());
            } else {
                Outcome outcome = Outcome.values()[random.nextInt(Outcome.values().length)];
                end(running.get(random.nextInt(running.size())), outcome);
            }
            assertThat(running).as("seed %d", seed).hasSize(Math.min(AT_ONCE, submitted - ended.get()));
            assertThat(any.waiting()).isEqualTo(submitted - ended.get() - running.size());
        }
        assertThat(letIn)
                .as("first come, first served, seed %d", seed)
                .isEqualTo(LongStream.range(0, letIn.size()).boxed().toList());
    }

    private void submit(long due) {
        admission.submit(request(due), answer -> told.add(due));
    }

    private void end(AtWorkers search, Outcome outcome) {
        running.remove(search);
        SearchRequest request = search.request();
        Sample sample = new Sample(
                request.intendedStart(), request.handedOver(), now, now, now, 0, 0, outcome, "", request.quotaNanos());
        search.listener().accept(new SearchAnswer(sample, 0, 0, "", Optional.empty(), Optional.empty()));
    }

    private static SearchRequest request(long due) {
        Search search =
                new Search(SearchName.DETAIL, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        return new SearchRequest(
                search, PageClass.FIRST, Asked.FIRST, due, due, SearchRequest.Keep.NOTHING, Optional.empty(), 0);
    }

    /** @param beside milliseconds that a time takes beside the wait */
    private static void assertAgrees(MicrosSummary measured, List<Visit> theory, long beside) {
        double[] figures = {measured.p50(), measured.p95(), measured.p99(), measured.max()};
        double[] percents = {50, 95, 99, 100};
        for (int i = 0; i < figures.length; i++) {
            double expected = QueueTheory.percentileMicros(
                    theory, percents[i], visit -> visit.taken() - visit.due() + beside * NANOS);
            assertThat(figures[i]).as("p%s", percents[i]).isCloseTo(expected, within(expected / 100));
        }
    }
}
