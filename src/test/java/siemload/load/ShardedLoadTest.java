package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.Store.EventSink;
import siemload.load.Analyst.UserRoster;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.results.FeederResult.StoredEvents;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Rate;
import siemload.scenario.Scenario.Feeder;

@Timeout(60)
final class ShardedLoadTest {
    private static final long SECONDS = 60;
    private static final int USERS = 37;
    private static final Rate ARRIVALS = Rate.constant(3);
    private static final int BATCH = 10;

    @ParameterizedTest
    @CsvSource({"3, false", "16, false", "3, true", "16, true"})
    void shardsOfUsersAskWhatOneProcessWould(int shards, boolean comeAndGo) {
        AnalystGroup group = comeAndGo ? arriving() : Fixtures.group(0, 0);
        int users = comeAndGo ? Math.toIntExact(SECONDS * 3) : USERS;
        List<String> one = asked(group, Shard.WHOLE, users);

        List<String> several = new ArrayList<>();
        for (int index = 0; index < shards; index++) {
            Shard shard = new Shard(index, shards);
            several.addAll(asked(group, shard, shard.of(users)));
        }

        assertThat(new UserRoster(group, 1, Shard.WHOLE).thereAtStart > 0).isEqualTo(comeAndGo);
        assertThat(one).hasSizeGreaterThan(100);
        assertThat(sorted(several)).isEqualTo(sorted(one));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 16})
    void shardsOfAFeederFeedWhatOneProcessWould(int shards) {
        List<String> one = fed(Shard.WHOLE, 3);

        List<String> several = new ArrayList<>();
        for (int index = 0; index < shards; index++) {
            several.addAll(fed(new Shard(index, shards), 3));
        }

        assertThat(one)
                .as("the last batch is due when all is over")
                .hasSize(1_990)
                .doesNotHaveDuplicates();
        assertThat(sorted(several)).isEqualTo(sorted(one));
    }

    private static AnalystGroup arriving() {
        return Fixtures.arriving(Fixtures.group(0, 0), ARRIVALS);
    }

    /** What the users of a shard ask, with the instants at which it is due. */
    private static List<String> asked(AnalystGroup group, Shard shard, int newcomers) {
        UserRoster roster = new UserRoster(group, 1, shard);
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < roster.thereAtStart + newcomers; i++) {
            UserRoster.Member user = roster.next();
            Analyst analyst = Fixtures.analyst(user);
            boolean stays = group.load() instanceof LoadModel.Closed;
            long nanos = stays ? 0 : user.startNanos(0);
            for (boolean goesOn = true; goesOn; goesOn = stays || !analyst.investigationDone()) {
                nanos += analyst.waitBeforeNext().toNanos();
                if (nanos >= TimeUnit.SECONDS.toNanos(SECONDS)) {
                    break;
                }
                SearchRequest request = analyst.next(nanos);
                asked.add(nanos + " " + request.search() + " " + request.draw());
                analyst.gaveUp();
            }
        }
        return asked;
    }

    /** The ids that a shard of a feeder feeds in two seconds that are over already, with the times of the events. */
    private static List<String> fed(Shard shard, int connections) {
        Feeder feeder = new Feeder(Rate.constant(1_000), BATCH, connections);
        RunClock clock = RunClock.startingAt(
                System.nanoTime() - TimeUnit.SECONDS.toNanos(SECONDS), Duration.ZERO, Duration.ofSeconds(2));
        FeederRecorder recorder = new LatencyRecorder(clock, feeder.rate()).feeder();
        FeederRun run = Fixtures.feeder(feeder, shard, clock, recorder);
        List<String> fed = Collections.synchronizedList(new ArrayList<>());
        int count = FeederRun.connections(feeder, shard);
        CountDownLatch done = new CountDownLatch(count);
        List<EventSink> sinks = Stream.generate(() -> Fixtures.sink(
                        batch -> batch.forEach(event -> fed.add(event.id() + " at " + event.detectTime())),
                        done::countDown))
                .limit(count)
                .toList();
        run.start(sinks);
        Fixtures.await(done);
        run.close();
        assertThat(recorder.result(clock.endNanos(), StoredEvents.ALL).acknowledged())
                .isEqualTo(fed.size());
        return fed;
    }

    private static List<String> sorted(List<String> all) {
        return all.stream().sorted().toList();
    }
}
