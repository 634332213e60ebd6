package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.event.SecurityEvent;
import siemload.load.Probes.PagingProbe;
import siemload.measure.RunClock;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.results.PagingTruth;

/** Six pages of 100 rows of 1,000 events, while newer ones arrive before each page but the first. */
@Timeout(20)
final class PagingProbeTest {
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
        assertThat(PagingProbe.truth(Paging.OFFSET, pages, now, id -> true))
                .isEqualTo(new PagingTruth("offset", 1, 2, 4, 2, 1, 0));
        assertThat(PagingProbe.truth(Paging.OFFSET, pages, now, id -> !id.equals("6")))
                .isEqualTo(new PagingTruth("offset", 1, 2, 4, 1, 1, 0));
    }

    private PagingTruth walk(Paging paging, int arriving) {
        Set<String> arrived = new HashSet<>();
        return probe(arrived).walk(paging, () -> {
            try (EventSink sink = store.openSink()) {
                List<SecurityEvent> more = newer(arriving);
                more.forEach(event -> arrived.add(event.id()));
                sink.write(more);
            }
        });
    }

    private void load(int count) {
        events = 0;
        store = Fixtures.store(newer(count));
    }

    private PagingProbe probe(Set<String> unsettled) {
        RunClock clock = RunClock.startingAt(System.nanoTime(), Duration.ZERO, Duration.ofMinutes(1));
        return new PagingProbe(
                store.openSession(), List.of(Paging.OFFSET), nanos -> id -> !unsettled.contains(id), clock);
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
