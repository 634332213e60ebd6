package siemload.database.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Counters.StatementTime;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Provision;
import siemload.database.Variant;
import siemload.database.scripted.ScriptedPlugin.AnswerSchedule;
import siemload.database.scripted.ScriptedPlugin.Script;
import siemload.database.scripted.ScriptedPlugin.ScriptClock;
import siemload.database.scripted.ScriptedPlugin.ScriptedSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

class ScriptTimingTest {
    private static final int ANSWERS = 20_000;
    static final ScriptClock AT_ZERO = new ScriptClock() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void until(long instant, BooleanSupplier givenUp) {}
    };

    @Test
    void aDelayOfTenPercentMakesEveryAnswerTenPercentLonger() {
        Script script = new Script(AT_ZERO, Map.of("delay", "10%"));
        assertThat(script.next(SearchName.HAWAT4, 100)).isEqualTo(AnswerSchedule.of(100, 5_500_000));
        assertThat(script.next(SearchName.HAWAT3, 0)).isEqualTo(new AnswerSchedule(110_000_000, 121_000_000, 11));
    }

    @Test
    void aServerWithOneWorkerAnswersOneSearchAfterTheOther() {
        Script script = new Script(AT_ZERO, Map.of("workers", "1"));
        assertThat(script.next(SearchName.HAWAT4, 0, 60_000_000)).isEqualTo(AnswerSchedule.of(0, 5_000_000));
        assertThat(script.next(SearchName.HAWAT4, 0, 60_000_000)).isEqualTo(AnswerSchedule.of(0, 10_000_000));
    }

    @Test
    void twoRunsDrawTheSameTimesAndTheSlowerOneTheSameButForTheDelay() {
        Script one = new Script(AT_ZERO, Map.of("median", "5ms"));
        Script same = new Script(AT_ZERO, Map.of("median", "5ms"));
        Script slower = new Script(AT_ZERO, Map.of("median", "5ms", "delay", "10%"));
        for (int i = 0; i < 100; i++) {
            long nanos = one.next(SearchName.HAWAT1, 0).lastRowNanos();
            assertThat(same.next(SearchName.HAWAT1, 0).lastRowNanos()).isEqualTo(nanos);
            assertThat(slower.next(SearchName.HAWAT1, 0).lastRowNanos()).isEqualTo(Math.round(nanos * 1.1));
        }
        assertThat(new Script(AT_ZERO, Map.of("median", "5ms", "seed", "2")).next(SearchName.HAWAT1, 0))
                .isNotEqualTo(new Script(AT_ZERO, Map.of("median", "5ms")).next(SearchName.HAWAT1, 0));
    }

    /** Of a log-normal distribution: the median itself, and the median times e^(sigma z) with z = 1.6449 for 95 of 100. */
    @Test
    void theDrawnTimesAreLogNormal() {
        Script pace = new Script(AT_ZERO, Map.of("median", "8ms", "sigma", "0.5"));
        long[] times = new long[ANSWERS];
        Arrays.setAll(times, i -> pace.drawn(SearchName.HAWAT1, i));
        Arrays.sort(times);
        assertThat(times[ANSWERS / 2] / 8e6).isBetween(0.98, 1.02);
        assertThat(times[ANSWERS * 95 / 100] / (8e6 * Math.exp(0.5 * 1.6449))).isBetween(0.96, 1.04);
        assertThat(Arrays.stream(times).distinct().count()).isGreaterThan(ANSWERS * 99 / 100);
    }

    @ParameterizedTest
    @CsvSource({"delay,10", "delay,fast", "median,5%", "sigma,3", "seed,-1", "dealy,1ms"})
    void whatIsNotUnderstoodIsNamed(String name, String value) {
        assertThat(new ScriptedPlugin()
                        .refusal(
                                new Variant("by-search", IndexSet.NONE, Hint.NONE, Paging.OFFSET),
                                Provision.EMBEDDED,
                                Map.of(name, value)))
                .hasValueSatisfying(
                        why -> assertThat(why).startsWith("'" + name + "=" + value + "' is not understood"));
        assertThat(Script.refusal(Map.of("delay", "500us", "median", "2.5ms", "sigma", "2", "seed", "7")))
                .isEmpty();
    }

    /** Eleven rows until 110 ms, and a row after 5 ms. */
    @Test
    void theCountersHaveWhatTheAnswersWereToTake() {
        Script script = new Script(AT_ZERO, Map.of());
        try (ScriptedSession session = new ScriptedSession(script, Duration.ofMinutes(1))) {
            Search slow = search(SearchName.HAWAT3);
            session.search(slow, row -> {});
            session.count(slow);
            session.count(search(SearchName.DETAIL));

            assertThat(script.read().statements())
                    .isEqualTo(Map.of(
                            session.statement(slow, PageClass.FIRST).orElseThrow(),
                            new StatementTime(2, 0, 220_000_000),
                            session.statement(search(SearchName.DETAIL), PageClass.COUNT)
                                    .orElseThrow(),
                            new StatementTime(1, 0, 5_000_000)));
            assertThat(script.statements().untold()).isEmpty();
        }
    }

    private static Search search(SearchName name) {
        return new Search(name, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(100, 1));
    }
}
