package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.event.SecurityEvent;
import siemload.load.FeederRun.Probes;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.RunResult.PagingTruth;
import siemload.run.answers.FeedLedger;
import siemload.scenario.Rate;
import siemload.scenario.Scenario.Feeder;

@Timeout(20)
final class ProbesTest {
    private Store store;
    private int events;

    @BeforeEach
    void loadThousandEvents() {
        load(1_000);
    }

    @Test
    void pagesByOffsetShowAgainWhatNewEventsPushedDown() {
        assertThat(walk(Paging.OFFSET, 30)).isEqualTo(new PagingTruth("offset", 1, 6, 600, 0, 5 * 30, 0));
    }

    @ParameterizedTest
    @EnumSource(
            value = Paging.class,
            names = {"KEYSET", "CURSOR"})
    void pagesByKeyAndOfAnOpenResultShowEveryEventOnce(Paging paging) {
        assertThat(walk(paging, 30)).isEqualTo(new PagingTruth(paging.label(), 1, 6, 600, 0, 0, 0));
    }

    @Test
    void anEventOnNoPageWasSkippedIfItWasThereBeforeTheWalk() {
        List<List<PageKey>> pages = List.of(List.of(key(9), key(8)), List.of(key(8), key(5)));

        List<PageKey> now = List.of(key(10), key(9), key(8), key(7), key(6), key(5), key(4));
        assertThat(Probes.truth(Paging.OFFSET, pages, now, Set.of()))
                .isEqualTo(new PagingTruth("offset", 1, 2, 4, 2, 1, 0));
        assertThat(Probes.truth(Paging.OFFSET, pages, now, Set.of("6")))
                .isEqualTo(new PagingTruth("offset", 1, 2, 4, 1, 1, 0));
    }

    /** By a server that never shows it; of one batch of one event a second, every one is looked for, once somebody waits for one. */
    @Test
    void anEventThatIsNeverFoundCountsAsUnseen() {
        CountDownLatch searching = new CountDownLatch(1);
        long start = System.nanoTime();
        RunClock clock = RunClock.startingAt(start, Duration.ZERO, Duration.ofMinutes(10));
        FeederRecorder recorder = new LatencyRecorder(clock).feeder();
        SearchSession session = Fixtures.session(searching::countDown);
        Feeder feeder = new Feeder(Rate.constant(1), 1, 1);
        Probes probes = Fixtures.probes(List.of(session), new FeedLedger(1), recorder, feeder, clock);
        probes.start();
        while (searching.getCount() > 0) {
            probes.acknowledged(7, start);
            Thread.onSpinWait();
        }

        probes.close();

        VisibilityResult seen = recorder.visibility();
        assertThat(seen.seen()).isZero();
        assertThat(seen.unseen()).isEqualTo(1);
    }

    /** What arrives meanwhile is no more settled than a batch that was sent and not acknowledged. */
    private PagingTruth walk(Paging paging, int arriving) {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(1));
        FeedLedger ledger = new FeedLedger(1);
        Probes probes = Fixtures.probes(
                List.of(), ledger, new LatencyRecorder(clock).feeder(), new Feeder(Rate.constant(1), 1, 1), clock);
        return probes.walk(store.openSession(), paging, () -> {
            try (EventSink sink = store.openSink()) {
                List<SecurityEvent> more = newer(arriving);
                more.forEach(event -> ledger.sent(Long.parseLong(event.id()), System.nanoTime()));
                sink.write(more);
            }
        });
    }

    private void load(int count) {
        events = 0;
        store = Fixtures.store(newer(count));
    }

    private List<SecurityEvent> newer(int count) {
        int first = events;
        events += count;
        return IntStream.range(first, events).mapToObj(Fixtures::numbered).toList();
    }

    private static PageKey key(int number) {
        return new PageKey(Fixtures.NOON.plusSeconds(number), String.valueOf(number));
    }
}
