package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.database.IndexSet;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.Ingest;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Change;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.Procedure.WholeResult;
import siemload.scenario.WindowLength;

/** What a time is beside another one: the times of an event are what they are. */
class ProcedureTimeTest {
    private static final int MILLION = 1_000_000;

    @Test
    void timesGrowWithEventsAndPassesAndCachesThatAreHeated() {
        double once = seconds(MILLION, read(1, CacheState.AS_FOUND, Counting.NONE));

        assertThat(seconds(8 * MILLION, read(1, CacheState.AS_FOUND, Counting.NONE)))
                .isCloseTo(8 * once, within(1e-6));
        assertThat(seconds(MILLION, read(3, CacheState.AS_FOUND, Counting.NONE)))
                .isCloseTo(3 * once, within(1e-6));
        assertThat(seconds(MILLION, read(3, CacheState.HOT, Counting.NONE))).isCloseTo(4 * once, within(1e-6));
        assertThat(seconds(MILLION, read(1, CacheState.COLD, Counting.NONE))).isCloseTo(once + 12, within(1e-6));
        assertThat(seconds(MILLION, read(1, CacheState.AS_FOUND, Counting.EXACT)))
                .isBetween(1.05 * once, 1.5 * once);
    }

    @Test
    void allPagesByOffsetTakeLongerTheSmallerTheyAre() {
        double large = pages(Paging.OFFSET, 100_000, WholeResult.NONE);

        assertThat(pages(Paging.OFFSET, 10_000, WholeResult.NONE)).isGreaterThan(3 * large);
        assertThat(pages(Paging.KEYSET, 10_000, WholeResult.NONE)).isLessThan(large);
        assertThat(pages(Paging.KEYSET, 10_000, WholeResult.MEASURED))
                .isGreaterThan(2 * pages(Paging.KEYSET, 10_000, WholeResult.NONE));
    }

    @Test
    void indexesCostLoadsAndFollowUpsAreAskedThreeTimes() {
        Procedure load = new Procedure.Load(3);

        assertThat(new ProcedureTime(MILLION, IndexSet.NATIVE, Paging.OFFSET, SearchCatalog.builtIn()).of(load))
                .isGreaterThan(
                        3 * new ProcedureTime(MILLION, IndexSet.NONE, Paging.OFFSET, SearchCatalog.builtIn()).of(load));
        assertThat(seconds(
                        MILLION,
                        new Procedure.FollowUps(
                                searches(),
                                Order.NEWEST_FIRST,
                                new Page.Whole(),
                                List.of(Change.NARROWER, Change.WINDOW),
                                1,
                                CacheState.AS_FOUND)))
                .isCloseTo(6 * seconds(MILLION, read(1, CacheState.AS_FOUND, Counting.NONE)), within(1e-6));
    }

    private static double pages(Paging paging, int size, WholeResult whole) {
        return new ProcedureTime(MILLION, IndexSet.NATIVE, paging, SearchCatalog.builtIn())
                .of(new Procedure.Depth(
                        searches(), Order.NEWEST_FIRST, size, new Depths.FirstToLast(), whole, 1, CacheState.AS_FOUND));
    }

    @Test
    void serversThatTakeTheDataSetShareOneMachineAndInsertsTakeLonger() {
        double one = seconds(MILLION, ingest(Ingest.Way.BULK, 1));
        double two = seconds(MILLION, ingest(Ingest.Way.BULK, 2));

        assertThat(two).isBetween(1.5 * one, 2 * one);
        assertThat(seconds(MILLION, ingest(Ingest.Way.INSERTS, 1))).isGreaterThan(two);
    }

    /** With 200,000 events on two processors, all levels of the audit took 41 minutes. */
    @Test
    void jobsTakeAsLongAsTheirSearchesAreAtWork() {
        List<Integer> levels = List.of(1, 100, 200, 500, 1_000);
        double measured = 41 * 60;
        double audit = seconds(200_000, jobs(levels, 20));

        assertThat(audit).isBetween(0.85 * measured, 1.15 * measured);
        assertThat(seconds(200_000, jobs(levels, 2))).isEqualTo(audit);
        assertThat(seconds(200_000, jobs(List.of(1), 20)))
                .as("an item has one processor")
                .isCloseTo(2.6, within(0.3));
        assertThat(seconds(200_000, jobs(List.of(200), 1)))
                .isCloseTo(2 * seconds(200_000, jobs(List.of(200), 20)), within(1e-6));
    }

    @Test
    void whatNoSettingBoundsIsSaid() {
        ProcedureTime time = new ProcedureTime(200_000, IndexSet.NATIVE, Paging.OFFSET, SearchCatalog.builtIn());

        assertThat(time.assumption(jobs(List.of(1, 1_000), 20)))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("192,192 searches a run, reckoned at ")
                        .endsWith(" ms each of one of 2 processors"));
        assertThat(time.assumption(new Procedure.Load(3))).isEmpty();
    }

    private static Procedure.Jobs jobs(List<Integer> levels, int inFlight) {
        return new Procedure.Jobs(searches(), Order.NEWEST_FIRST, 20, levels, 192, inFlight, 1, 1);
    }

    private static Procedure ingest(Ingest.Way way, int servers) {
        return new Ingest(
                new Ingest.Writing(way, 100, 1),
                new TreeMap<>(Map.of(MatchClass.DENSE, SearchName.HAWAT3, MatchClass.RARE, SearchName.DETAIL)),
                1,
                servers,
                Ingest.Turns.TOGETHER,
                new Ingest.Deployment(3, Duration.ofDays(90)));
    }

    private static double seconds(long events, Procedure procedure) {
        return new ProcedureTime(events, IndexSet.NATIVE, Paging.OFFSET, SearchCatalog.builtIn()).of(procedure);
    }

    private static Procedure.Read read(int passes, CacheState caches, Counting counting) {
        return new Procedure.Read(searches(), Order.NEWEST_FIRST, new Page.Whole(), counting, passes, caches);
    }

    private static SearchSet searches() {
        return new SearchSet(
                List.of(SearchName.MENTAT, SearchName.HAWAT1),
                new WindowLength.Everything(),
                Popularity.TYPICAL,
                10,
                EventSource.DRAWN);
    }
}
