package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Replacing;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.dataset.FeedEvents;
import siemload.dataset.Popularity;
import siemload.dataset.ValuePools;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.load.Analyst.DrawnSearches;
import siemload.load.Analyst.UserRoster.Member;
import siemload.load.FeederRun.Feeding;
import siemload.load.FeederRun.Probes;
import siemload.measure.FeederRecorder;
import siemload.measure.RunClock;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.EventList;
import siemload.run.answers.FeedLedger;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.AnalystGroup.Weights;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.LoadModel;
import siemload.scenario.Rate;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.SearchDraw;

/** A handful of events and an analyst who searches them. */
final class Fixtures {
    static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");
    static final SecurityEvent SCAN = event("scan", "Recon.Scanning", "192.0.2.1", 22);
    static final SecurityEvent LOGIN = event("login", "Attempt.Login", "192.0.2.2", 23);

    private static final SearchDraw DRAW = new SearchDraw(pools(), new EventList(List.of(SCAN, LOGIN)));

    private static final FeedEvents NUMBERED_SCANS =
            new FeedEvents(String::valueOf, (number, id, detectTime) -> SCAN.with(id, detectTime, SCAN.other()));

    private Fixtures() {}

    static Analyst analyst(Paging paging, long seed) {
        return analyst(group(0.3, 0.3), paging, seed);
    }

    /** One who has just come. */
    static Analyst analyst(AnalystGroup group, Paging paging, long seed) {
        Member member = new Member(group, 0, seed);
        return analyst(member, member.arriving(), paging);
    }

    static Analyst analyst(Member member, Member.Investigation start, Paging paging) {
        DrawnSearches searches = new DrawnSearches(member.group(), draw(), LoadEngine.dataClock(0, NOON));
        return new Analyst(member, start, paging, searches, () -> {
            throw new IllegalStateException("no server here");
        });
    }

    /** One at the start of a load. */
    static Analyst analyst(Member member) {
        return analyst(member, member.start().orElseThrow(), Paging.OFFSET);
    }

    static AnalystGroup group(double deeperRatio, double followUpRatio) {
        return group(
                new Distribution.Exponential(Duration.ofSeconds(4)),
                new Distribution.Exponential(Duration.ofSeconds(30)),
                deeperRatio,
                followUpRatio);
    }

    /** @param thinkTime within investigations of 4 to 11 actions */
    static AnalystGroup group(Distribution thinkTime, Distribution pause, double deeperRatio, double followUpRatio) {
        return new AnalystGroup(
                "tier-1",
                new LoadModel.Closed(1),
                new AnalystGroup.Investigation(
                        new AnalystGroup.Investigation.Actions(4, 11),
                        thinkTime,
                        Optional.of(pause),
                        Duration.ofSeconds(10),
                        7),
                new AnalystGroup.Searched(
                        new Weights<>(Map.of(WindowLength.last(Duration.ofDays(7)), 1.0)),
                        new Weights<>(Map.of(SearchName.MENTAT, 1.0)),
                        new Weights<>(Map.of(Popularity.HOT, 1.0)),
                        new Weights<>(Map.of(Order.NEWEST_FIRST, 1.0)),
                        10,
                        new ResultReading.Paged(100, deeperRatio, 50, deeperRatio / 6),
                        followUpRatio));
    }

    /** The same whose users come and go. */
    static AnalystGroup arriving(AnalystGroup group, Rate arrivals) {
        return new AnalystGroup(group.name(), new LoadModel.Open(arrivals), group.investigation(), group.searched());
    }

    static SearchDraw draw() {
        return DRAW;
    }

    static ValuePools pools() {
        ValuePools.Builder builder = new ValuePools.Builder();
        builder.add(List.of(SCAN, LOGIN));
        return builder.build();
    }

    private static SecurityEvent event(String id, String category, String source, int port) {
        Endpoint side =
                new Endpoint(List.of(), List.of(AddressRange.parse(source)), List.of(port), List.of("tcp"), Map.of());
        Node node = new Node("cz.example.detector", List.of(), List.of(), Map.of());
        return new SecurityEvent(
                id, NOON.minusSeconds(1), List.of(category), "", List.of(side), List.of(), List.of(node), Map.of());
    }

    /** A copy of a data set of these events in the reference, which opens two sessions at the most. */
    static Store store(List<SecurityEvent> events) {
        DatasetKey key = new DatasetKey("0", "events", events.size());
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.CURSOR);
        Target target = TargetPlugin.find("memory")
                .orElseThrow()
                .connect(new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofSeconds(10), 2));
        target.load(key, load -> load.write(events), step -> {});
        return target.copy(key, "copy");
    }

    /** An event with a number for its id, so many seconds after noon. */
    static SecurityEvent numbered(int number) {
        return new SecurityEvent(
                String.valueOf(number),
                NOON.plusSeconds(number),
                List.of(),
                "",
                List.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    /** A session whose searches find nothing after this work. */
    static SearchSession session(Runnable work) {
        return Replacing.method(SearchSession.class, store(List.of()).openSession(), "search", (session, asked) -> {
            work.run();
            return 0L;
        });
    }

    /** A sink that does this with what is written, and that when it is closed. */
    static EventSink sink(Consumer<List<SecurityEvent>> write, Runnable close) {
        return new EventSink() {
            @Override
            public long write(List<SecurityEvent> batch) {
                write.accept(batch);
                return 0;
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    /** A feeder over scans that are told apart by their numbers. */
    static FeederRun feeder(Feeder feeder, Shard shard, RunClock clock, FeederRecorder recorder) {
        Feeding feeding = feeding(feeder, shard, clock, recorder, new FeedLedger(10));
        return new FeederRun(feeding, new Probes(feeding, List.of(), List.of(), 1));
    }

    /** Probes of events that are told apart by their numbers. */
    static Probes probes(
            List<SearchSession> sessions, FeedLedger ledger, FeederRecorder recorder, Feeder feeder, RunClock clock) {
        return new Probes(feeding(feeder, Shard.WHOLE, clock, recorder, ledger), sessions, List.of(Paging.OFFSET), 1);
    }

    private static Feeding feeding(
            Feeder feeder, Shard shard, RunClock clock, FeederRecorder recorder, FeedLedger ledger) {
        LongFunction<Instant> dataClock = LoadEngine.dataClock(clock.startNanos(), NOON);
        return new Feeding(feeder, shard, NUMBERED_SCANS, clock, dataClock, recorder, ledger);
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
