package siemload.load.injector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import siemload.dataset.SeededRandom;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.Sample;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.results.SearchResult.Asked;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.FeedLedger;
import siemload.scenario.rate.ConstantRate;

/**
 * What injectors say of each second, made beforehand by the recorders that real ones use: searches with log-normal times of a
 * few milliseconds to a second, of as many kinds as the scenario hawat has, and batches of the feeder. Some injectors say the
 * same of their searches, but each has batches of its own. Immutable.
 */
final class SpokenSeconds {
    private static final int VOICES = 16;
    private static final long SECOND = 1_000_000_000;
    private static final String NO_ENTRIES = "\"entries\":[]";
    private static final List<SearchName> SEARCHES = List.of(
            SearchName.MENTAT,
            SearchName.HAWAT1,
            SearchName.HAWAT2,
            SearchName.HAWAT3,
            SearchName.HAWAT4,
            SearchName.HAWAT5,
            SearchName.HAWAT6,
            SearchName.HAWAT7);

    private final int injectors;
    private final int batches;
    private final int seconds;
    private final int perSecond;
    /** By second and voice: a frame in two halves, between which the entries go. */
    private final byte[][][] heads;

    private final byte[] tail;

    SpokenSeconds(int injectors, int perSecond, int batches, int seconds) throws IOException {
        this.injectors = injectors;
        this.batches = batches;
        this.seconds = seconds;
        this.perSecond = perSecond;
        this.heads = new byte[seconds + 1][VOICES][];
        RunClock clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(seconds));
        String end = "";
        for (int voice = 0; voice < VOICES; voice++) {
            LatencyRecorder searches = new LatencyRecorder(clock);
            FeederRecorder feeder = new FeederRecorder(clock, new ConstantRate(1));
            for (int second = 1; second <= seconds; second++) {
                record(searches, feeder, voice, second);
                String line =
                        text(new InjectorSecond(second, searches.takeRecorded(), feeder.takeRecorded(), List.of()));
                int entries = line.lastIndexOf(NO_ENTRIES) + NO_ENTRIES.length() - 1;
                heads[second][voice] = line.substring(0, entries).getBytes(StandardCharsets.UTF_8);
                end = line.substring(entries);
            }
        }
        tail = end.getBytes(StandardCharsets.UTF_8);
    }

    private void record(LatencyRecorder searches, FeederRecorder feeder, int voice, int second) {
        for (int i = 0; i < perSecond; i++) {
            SeededRandom random = SeededRandom.of(voice, (long) second * perSecond + i);
            long due = (second - 1) * SECOND + (long) (random.nextDouble() * SECOND / 2);
            long taken = due + random.nextInt(2_000_000);
            long end = taken + (long) Math.exp(16 + 4 * random.nextDouble());
            searches.started();
            searches.finished(
                    key(random),
                    random.nextInt(3) == 0 ? Asked.FOLLOW_UP : Asked.FIRST,
                    new Sample(due, due + 50_000, taken, taken + (end - taken) / 2, end, 100, 9_000, Outcome.OK, ""));
        }
        for (int i = 0; i < batches; i++) {
            SeededRandom random = SeededRandom.of(-1 - voice, (long) second * batches + i);
            long due = (second - 1) * SECOND + i * SECOND / batches;
            feeder.sent(500, due, due + random.nextInt(1_000_000));
            feeder.acknowledged(500, 350_000, due, due, due + 5_000_000 + random.nextInt(30_000_000));
        }
    }

    /** Of ten pages seven are first ones. */
    private static SearchKey key(SeededRandom random) {
        int page = random.nextInt(10);
        PageClass kind = page < 7 ? PageClass.FIRST : page < 9 ? PageClass.DEEPER : PageClass.LAST;
        return new SearchKey(
                SEARCHES.get(random.nextInt(SEARCHES.size())),
                kind,
                random.nextInt(10) == 0 ? Order.OLDEST_FIRST : Order.NEWEST_FIRST);
    }

    private static String text(InjectorSecond second) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        FrameLines.write(line, new Frame.Second(second));
        return line.toString(StandardCharsets.UTF_8);
    }

    int seconds() {
        return seconds;
    }

    /** How many searches each injector tells of, in all seconds. */
    long searches() {
        return (long) seconds * perSecond;
    }

    /** The line that an injector says of a second, from 1. */
    byte[] line(int injector, int second) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes(heads[second][injector % VOICES]);
        line.writeBytes(entries(injector, second).getBytes(StandardCharsets.UTF_8));
        line.writeBytes(tail);
        return line.toByteArray();
    }

    /** Each batch is sent and acknowledged within the second. */
    private String entries(int injector, int second) {
        List<String> entries = new ArrayList<>();
        Shard shard = new Shard(injector, injectors);
        for (FeedLedger.Change change : FeedLedger.Change.values()) {
            for (int i = 0; i < batches; i++) {
                long batch = shard.number((second - 1L) * batches + i);
                long nanos = 1_790_000_000_000_000_000L
                        + second * SECOND
                        + i * SECOND / batches
                        + (change == FeedLedger.Change.SENT ? 0 : 17_123_457L + 1_000L * injector);
                entries.add("{\"batch\":" + batch + ",\"change\":\"" + change + "\",\"nanos\":" + nanos + "}");
            }
        }
        return String.join(",", entries);
    }

    /** How long such a line is, on average. */
    double meanBytes() {
        long bytes = 0;
        for (int second = 1; second <= seconds; second++) {
            for (int voice = 0; voice < Math.min(VOICES, injectors); voice++) {
                bytes += line(voice, second).length;
            }
        }
        return (double) bytes / seconds / Math.min(VOICES, injectors);
    }
}
