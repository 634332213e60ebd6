package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.load.Injectors.Frame;
import siemload.measure.IntervalLog.AbortWatch;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.HostActivity;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunResult;
import siemload.results.RunResult.InjectorResult;
import siemload.results.SearchKey;
import siemload.run.Bench;
import siemload.run.LoadOutcome;
import siemload.run.LoadRun;
import siemload.run.LoadRun.Shard;
import siemload.run.QuietHost;
import siemload.run.RunHost;
import siemload.run.RunPlan;
import siemload.run.answers.CheckedAnswers;

@Timeout(60)
@Tag("every-java")
final class RunningLoadTest {
    private static final Duration WARMUP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofMinutes(5);
    private static final SearchKey KEY = new SearchKey(SearchName.HAWAT1, PageClass.FIRST, Order.NEWEST_FIRST);

    private static final CheckedAnswers NO_ANSWERS = new CheckedAnswers(0.01, 0, 0, List.of());

    private final FakeRun run =
            new FakeRun(Map.of("injectors", "3", "users", "3", "abortIf", "errorRatio > 0.5 for 2s"));
    private final List<FakeInjector> started = new CopyOnWriteArrayList<>();
    private final Injectors group =
            new Injectors("on some machine", 3, () -> run.aborted().isPresent());

    @BeforeEach
    void start() {
        ServerAddress server = new ServerAddress("jdbc:x", "me", "secret");
        group.start(
                FakeInjector.into(started),
                shard -> new Frame.Part("1.0", Map.of(), new Shard(shard, 3), server, "store"));
        group.sayToAll(new Frame.Start(0));
        started.forEach(FakeInjector::lives);
    }

    @AfterEach
    void end() {
        group.close();
    }

    /** What has been said when the second injector fails. */
    enum Phase {
        WARM_UP(0),
        MEASURED(0),
        DRAIN(2),
        RESULT(2),
        ANSWERS(3);

        private final int ended;

        Phase(int ended) {
            this.ended = ended;
        }

        /** Says what comes before it. */
        private void begin(List<FakeInjector> injectors) {
            if (this != WARM_UP) {
                injectors.forEach(injector -> injector.says(second(1)));
            }
            for (int i = 0; i < injectors.size(); i++) {
                if (ended == injectors.size() || ended > 0 && i != 1) {
                    injectors.get(i).says(outcome(i, LoadOutcome.Ending.COMPLETE));
                }
            }
            if (this == RESULT) {
                injectors.get(1).says("{\"frame\":\"ended\",\"outco");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatIsKilledIsNamedAndTheOthersLeaveWhatTheyHave(Phase phase) throws Exception {
        double seconds = toEnd(phase, injector -> injector.ends(137));

        assertThat(seconds).isLessThan(10);
        assertThat(faults())
                .first()
                .asString()
                .matches("injector 2 of 3 [(]on some machine[)] (has ended with exit code 137"
                        + "|cannot be understood: it sent this instead of a frame: [{]\"frame\":\"ended\",\"outco)");
    }

    @Test
    void oneThatFallsSilentIsNamedWithinTenSeconds() throws Exception {
        double seconds = toEnd(Phase.MEASURED, FakeInjector::isStopped);

        assertThat(faults())
                .first()
                .asString()
                .matches("injector 2 of 3 [(]on some machine[)] has said nothing for [5-9][.]\\d s");
        assertThat(seconds)
                .as("with the time to stop the others, and to end it")
                .isLessThan(10);
    }

    @Test
    void theLoadOfAllTogetherIsWhatEndsIt() throws Exception {
        for (int second = 1; second <= 6; second++) {
            for (int i = 0; i < 3; i++) {
                // All searches of one of them fail, which are a third of those of all; then those of the others.
                boolean fails = (i == 0) != (second > 3);
                started.get(i).says(second(second, fails ? Outcome.TIMEOUT : Outcome.OK));
            }
        }
        for (int i = 0; i < 3; i++) {
            started.get(i).says(outcome(i, LoadOutcome.Ending.COMPLETE));
        }

        load().toEnd();

        assertThat(run.aborted()).hasValueSatisfying(why -> assertThat(why).contains("errorRatio"));
    }

    @Test
    void oneThatSomebodyElseStopsMakesTheRunIncomplete() throws Exception {
        double unused = toEnd(Phase.WARM_UP, injector -> injector.says(outcome(1, LoadOutcome.Ending.INTERRUPTED)));

        assertThat(faults()).containsExactly("injector 2 of 3 (on some machine) was stopped by somebody");
    }

    /** @return how many seconds it took from the failure of the second injector until everything was handed over */
    private double toEnd(Phase phase, Consumer<FakeInjector> failure) throws Exception {
        phase.begin(started);
        for (int well : List.of(0, 2)) {
            if (phase.ended == 0) {
                started.get(well).endsWith(outcome(well, LoadOutcome.Ending.INTERRUPTED));
            } else {
                inBackground(() -> answer(started.get(well)));
            }
        }
        FakeInjector second = started.get(1);
        if (phase == Phase.ANSWERS) {
            inBackground(() -> {
                if (second.isTold(Frame.Check.class)) {
                    failure.accept(second);
                }
            });
        } else {
            failure.accept(second);
        }
        long start = System.nanoTime();
        load().toEnd();
        double seconds = (System.nanoTime() - start) / 1e9;
        assertThat(run.outcome().end().ending()).isEqualTo(LoadOutcome.Ending.LOST);
        assertThat(run.outcome().injected().orElseThrow().injectors())
                .as("those that handed over what they had")
                .extracting(InjectorResult::injector)
                .contains(1, 3);
        assertThat(started).allMatch(FakeInjector::isKilled);
        return seconds;
    }

    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "others");
        thread.setDaemon(true);
        thread.start();
    }

    /** One that is well checks its answers when it is told to. */
    private static void answer(FakeInjector injector) {
        if (injector.isTold(Frame.Check.class)) {
            injector.says(new Frame.Checked(NO_ANSWERS));
        }
    }

    private List<String> faults() {
        return run.outcome().seen().faults();
    }

    private InjectedLoad load() {
        return new InjectedLoad(run, group, System.nanoTime());
    }

    private static Frame second(int number) {
        return second(number, Outcome.OK);
    }

    /** Ten searches that ended alike. */
    private static Frame second(int number, Outcome outcome) {
        RunClock clock = RunClock.startingAt(0, WARMUP, MEASURED);
        LatencyRecorder searches = new LatencyRecorder(clock);
        long end = clock.measureNanos() + TimeUnit.SECONDS.toNanos(number) - 1;
        for (int i = 0; i < 10; i++) {
            searches.started();
            searches.finished(KEY, new Sample(end, end, end, end, end, 1, 1, outcome, ""));
        }
        return new Frame.Second(number, searches.takeRecorded(), List.of());
    }

    static Frame.Ended outcome(int injector, LoadOutcome.Ending ending) {
        return new Frame.Ended(
                ending,
                6.25,
                new InjectorResult(
                        injector + 1,
                        "load" + injector,
                        2,
                        10,
                        0,
                        new RunResult.GeneratorResult(1, 2, 3),
                        1,
                        2,
                        MicrosSummary.NONE,
                        new HostActivity.Pauses(0, 0, 0)),
                List.of(StoredEvents.ALL));
    }

    /** A run without a server, which keeps what it comes to. */
    private static final class FakeRun implements LoadRun {
        private final RunPlan plan;
        private final List<String> lines = new ArrayList<>();
        private Optional<LoadOutcome> outcome = Optional.empty();
        private Optional<String> harm = Optional.empty();
        /** @param properties of the run, by name */
        FakeRun(Map<String, String> properties) {
            Map<String, String> all = new HashMap<>(Map.of("dataset", "src/test/resources/datasets/tiny.yaml"));
            all.putAll(properties);
            this.plan = RunPlan.read(Settings.of(Map.of(), all, Map.of()), Path.of(""), text -> {});
        }

        /** What it was finished with. */
        LoadOutcome outcome() {
            return outcome.orElseThrow();
        }

        /** Why it was aborted, if it was. */
        Optional<String> aborted() {
            return harm;
        }

        @Override
        public Bench bench() {
            throw new UnsupportedOperationException("there is no server");
        }

        @Override
        public RunHost host() {
            return new QuietHost(lines);
        }

        @Override
        public RunPlan plan() {
            return plan;
        }

        /** Ends nothing, but keeps why the load should be ended. */
        @Override
        public LongConsumer watch(Load load) {
            AbortWatch harmful =
                    new AbortWatch(plan.settings().find(Property.ABORT_IF).orElse(List.of()));
            return nowNanos -> harmful.second(load.searches().takeRecorded())
                    .ifPresent(why -> harm = harm.or(() -> Optional.of(why)));
        }

        @Override
        public RunMonitor.Seen seen(long endNanos) {
            return RunMonitor.Seen.NOTHING;
        }

        @Override
        public void finish(LoadOutcome measured) {
            outcome = Optional.of(measured);
        }
    }
}
