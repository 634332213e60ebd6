package siemload.load.injector;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import siemload.config.directory.DirectoryTree;
import siemload.load.injector.InjectedLoad.RunningLoad.LedgerFrames;
import siemload.load.injector.InjectedLoad.RunningLoad.MergedSeconds;
import siemload.measure.FeederRecorder;
import siemload.measure.IntervalLog;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.results.RunWriter;
import siemload.run.answers.FeedLedger;
import siemload.scenario.rate.ConstantRate;

/**
 * What it costs to coordinate many injectors: {@code ManyInjectors INJECTORS [SEARCHES BATCHES SECONDS]}. There are none: their
 * lines are made beforehand, as ones that ask so many searches a second and feed so many batches would say them, and are read, noted
 * and merged here by what a run does that with, one after the other. CPU times are this thread's, so that other work on
 * the machine changes them little; the first half of the seconds warms up and does not count. Prints a row of figures, of no arguments the titles. See
 * benchmarks/injectors.sh and docs/scale.md.
 */
final class ManyInjectors {
    private static final int EVENTS_A_BATCH = 500;
    private static final int SEARCHES = 100;
    private static final int BATCHES = 20;
    private static final int SECONDS = 10;
    private static final double MEGABYTE = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int injectors;
    private final SpokenSeconds spoken;
    private final RunClock clock;
    private final LatencyRecorder searches;
    private final FeederRecorder feeder;
    private final FeedLedger ledger = new FeedLedger(EVENTS_A_BATCH);
    private long readNanos;
    private long noteNanos;
    private long mergeNanos;
    private long waitingBytes;

    private ManyInjectors(int injectors, int perSecond, int batches, int seconds) throws IOException {
        this.injectors = injectors;
        this.spoken = new SpokenSeconds(injectors, perSecond, batches, seconds);
        this.clock = RunClock.startingAt(0, Duration.ZERO, Duration.ofSeconds(seconds));
        this.searches = new LatencyRecorder(clock);
        this.feeder = new FeederRecorder(clock, new ConstantRate((double) injectors * batches * EVENTS_A_BATCH));
    }

    /** Prints the figures of one number of injectors; of none the titles. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            System.out.println("injectors kB read,ms note,ms merge,ms CPUs waiting,MB ledger,MB pack,ms");
            return;
        }
        int[] numbers = Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
        new ManyInjectors(
                        numbers[0],
                        numbers.length > 1 ? numbers[1] : SEARCHES,
                        numbers.length > 2 ? numbers[2] : BATCHES,
                        numbers.length > 3 ? numbers[3] : SECONDS)
                .run();
    }

    private void run() throws IOException {
        hearSeconds();
        int counted = spoken.seconds() - spoken.seconds() / 2;
        List<FeedLedger.Entry> entries = ledger.takeEntries();
        long begun = THREADS.getCurrentThreadCpuTime();
        long bytes = 0;
        for (Frame frame : LedgerFrames.of(entries)) {
            bytes += FrameLines.line(frame).length;
        }
        double packMillis = (THREADS.getCurrentThreadCpuTime() - begun) / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%d %.1f %.1f %.1f %.1f %.3f %.1f %.2f %.1f%n",
                injectors,
                spoken.meanBytes() / 1e3,
                readNanos / 1e6 / counted,
                noteNanos / 1e6 / counted,
                mergeNanos / 1e6 / counted,
                (readNanos + noteNanos + mergeNanos) / 1e9 / counted,
                waitingBytes / MEGABYTE,
                bytes / MEGABYTE,
                packMillis);
    }

    private void hearSeconds() throws IOException {
        Path directory = Files.createTempDirectory("many-injectors");
        try (IntervalLog log = new IntervalLog(RunWriter.to(directory), Instant.now(), clock, searches, feeder)) {
            MergedSeconds seconds = new MergedSeconds(
                    injectors, searches, feeder, second -> log.tick(clock.measureNanos() + Math.round(second * 1e9)));
            for (int second = 1; second <= spoken.seconds(); second++) {
                if (second == spoken.seconds() / 2 + 1) {
                    readNanos = 0;
                    noteNanos = 0;
                    mergeNanos = 0;
                }
                long before = second == spoken.seconds() ? usedBytes() : 0;
                for (int injector = 0; injector < injectors; injector++) {
                    hear(injector, second, seconds);
                    if (second == spoken.seconds() && injector == injectors - 2) {
                        waitingBytes = usedBytes() - before;
                    }
                }
            }
            for (int injector = 0; injector < injectors; injector++) {
                seconds.end(injector);
            }
        } finally {
            DirectoryTree.delete(directory);
        }
        long expected = injectors * spoken.searches();
        if (searches.finishedSoFar() != expected) {
            throw new IllegalStateException(searches.finishedSoFar() + " of " + expected + " searches were merged");
        }
    }

    private void hear(int injector, int second, MergedSeconds seconds) throws IOException {
        ByteArrayInputStream line = new ByteArrayInputStream(spoken.line(injector, second));
        long begun = THREADS.getCurrentThreadCpuTime();
        Frame.Second said = (Frame.Second) FrameLines.read(line).orElseThrow();
        long read = THREADS.getCurrentThreadCpuTime();
        said.second().entries().forEach(this::note);
        long noted = THREADS.getCurrentThreadCpuTime();
        seconds.take(injector, said.second());
        readNanos += read - begun;
        noteNanos += noted - read;
        mergeNanos += THREADS.getCurrentThreadCpuTime() - noted;
    }

    /** As a run does, which lets nothing be fed twice. */
    private void note(FeedLedger.Entry entry) {
        if (ledger.isSent(entry.batch()) == (entry.change() == FeedLedger.Change.SENT)) {
            throw new IllegalStateException("batch " + entry.batch() + " twice");
        }
        ledger.add(entry);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
