package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;
import siemload.database.Counters.StatementSource;
import siemload.database.SearchException;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor.DatabaseWatch;
import siemload.results.RunResult.DatabaseActivity;
import siemload.results.RunWriter;

class DatabaseWatchTest {
    private static final long SECOND = 1_000_000_000;

    /** A second of warm-up, two measured. */
    private final RunClock clock =
            RunClock.startingAt(System.nanoTime() - 4 * SECOND, Duration.ofSeconds(1), Duration.ofSeconds(2));

    private final Deque<CounterReading> readings = new ArrayDeque<>();

    @TempDir
    private Path directory;

    @Test
    void eachSecondHasItsDifferencesAndThoseBehindZeroAddUpToThePhase() throws IOException {
        DatabaseActivity activity = watch(reading(100, 7), reading(110, 7), reading(115, 8), reading(140, 8));

        assertThat(activity.io()).containsExactly(new Io("data", 30, 30 * 8_192, 0, 0, 300));
        assertThat(activity.relations()).containsExactly(new Relation("events", "table", 30, 300));
        assertThat(activity.counters()).containsExactly(Map.entry("commits", 1L));
        assertThat(activity.samples()).isEqualTo(2);
        List<String> io = Files.readAllLines(directory.resolve("database-io.csv"));
        assertThat(io)
                .startsWith(
                        "second,category,reads,readBytes,writes,writtenBytes,hits",
                        "0.000,data,10,81920,0,0,100",
                        "1.000,data,5,40960,0,0,50",
                        "2.000,data,25,204800,0,0,250");
        assertThat(io.get(4)).matches("[3-9]\\.\\d{3},data,0,0,0,0,0");
        assertThat(directory.resolve("database-counters.csv")).hasContent("second,name,value\n1.000,commits,1\n");
    }

    @Test
    void countersThatStartAnewAreNotedAndNeverCountBackwards() throws IOException {
        DatabaseWatch watch = new DatabaseWatch(RunWriter.to(directory), clock, new Given());
        DatabaseActivity activity = watch(watch, reading(100, 7), reading(110, 7), reading(0, 0), reading(12, 1));

        assertThat(activity.io()).containsExactly(new Io("data", 0, 0, 0, 0, 0));
        assertThat(watch.notes())
                .containsExactly("the database's counters were reset during the run: differences are too small");
    }

    @Test
    void aRestartInTheMeasuredPhaseIsAFaultAndOneBeforeItIsNone() throws IOException {
        DatabaseWatch before = new DatabaseWatch(RunWriter.to(directory), clock, new Given());
        watch(before, reading(100, 7).startedAt("one"), reading(110, 7).startedAt("two"));
        assertThat(before.faults()).isEmpty();

        DatabaseWatch during = new DatabaseWatch(RunWriter.to(directory), clock, new Given());
        watch(
                during,
                reading(100, 7).startedAt("one"),
                reading(110, 7).startedAt("one"),
                CounterReading.NONE,
                reading(111, 8).startedAt("two"));
        assertThat(during.faults()).singleElement().asString().startsWith("the database was restarted");
    }

    @Test
    void aReadingThatFailsIsNotedAndMadeUpForByTheNext() throws IOException {
        DatabaseWatch watch = new DatabaseWatch(RunWriter.to(directory), clock, new Given());
        DatabaseActivity activity =
                watch(watch, reading(100, 7), reading(110, 7), CounterReading.NONE, reading(140, 7));

        assertThat(activity.io()).containsExactly(new Io("data", 30, 30 * 8_192, 0, 0, 300));
        assertThat(watch.notes())
                .containsExactly("the counters of the database could not be read 1 times: connection lost");
    }

    /** A restart cuts the connection, which is neither a failure nor a reason to stop. */
    @Test
    void inAPauseNothingIsReadAndTheCutConnectionIsNoNews() throws IOException {
        DatabaseWatch watch = new DatabaseWatch(RunWriter.to(directory), clock, new Given());
        readings.addAll(List.of(
                reading(100, 7).startedAt("one"),
                CounterReading.NONE,
                reading(130, 8).startedAt("two"),
                reading(140, 9).startedAt("two")));
        watch.tick(clock.measureNanos());
        watch.pause();
        watch.tick(clock.measureNanos() + SECOND);
        assertThat(readings).hasSize(3);
        watch.resume();
        watch.tick(clock.measureNanos() + 2 * SECOND);

        DatabaseActivity activity = watch.finish(clock.endNanos());

        assertThat(activity.io()).containsExactly(new Io("data", 40, 40 * 8_192, 0, 0, 400));
        assertThat(watch.notes()).isEmpty();
        assertThat(watch.faults()).isEmpty();
    }

    private DatabaseActivity watch(CounterReading... given) throws IOException {
        return watch(new DatabaseWatch(RunWriter.to(directory), clock, new Given()), given);
    }

    /** At the start, after a second of warm-up, and after each measured second; then nothing changes any more. */
    private DatabaseActivity watch(DatabaseWatch watch, CounterReading... given) {
        readings.addAll(List.of(given));
        readings.add(given[given.length - 1]);
        for (int i = 0; i < given.length; i++) {
            watch.tick(clock.startNanos() + i * SECOND);
        }
        return watch.finish(clock.endNanos());
    }

    private static CounterReading reading(long reads, long commits) {
        return new CounterReading(
                List.of(new Io(Io.DATA, reads, reads * 8_192, 0, 0, reads * 10)),
                List.of(new Relation("events", "table", reads, reads * 10)),
                Map.of("commits", commits, "aborts", 3L));
    }

    /** Answers one reading after the other; an empty one stands for a lost connection. */
    private final class Given implements Counters {
        @Override
        public CounterReading read() {
            CounterReading next = readings.remove();
            if (next.equals(CounterReading.NONE)) {
                throw new SearchException(SearchException.Kind.CONNECTION, "08006", "connection lost");
            }
            return next;
        }

        @Override
        public StatementSource statements() {
            return StatementSource.none("not told here");
        }

        @Override
        public List<String> gaps() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
