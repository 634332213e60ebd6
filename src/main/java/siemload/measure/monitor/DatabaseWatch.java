package siemload.measure.monitor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Relation;
import siemload.database.SearchException;
import siemload.measure.RunClock;
import siemload.results.DatabaseActivity;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.RunWriter.TableWriter;

/**
 * Writes what the database counted in each second, and sums it up over the measured phase: from the first reading in it
 * to a last one after all its sessions were closed. The lines behind second 0 add up to exactly that sum. Thread-safe.
 */
final class DatabaseWatch extends Watch {
    private final Counters counters;
    private final TableWriter io;
    private final TableWriter series;
    private Optional<CounterReading> atStart = Optional.empty();
    private Optional<CounterReading> last = Optional.empty();
    private long samples;
    private long samplingNanos;
    private long failures;
    private String failure = "";
    private boolean startedAnew;
    private boolean restarted;
    private boolean restartKnown;

    DatabaseWatch(RunWriter writer, RunClock clock, Counters counters) throws IOException {
        super("siemload-counters", clock);
        this.counters = counters;
        this.io = writer.table(RunFile.DATABASE_IO);
        this.series = writer.table(RunFile.DATABASE_COUNTERS);
    }

    @Override
    void look(long dueNanos) {
        long start = System.nanoTime();
        try {
            CounterReading reading = counters.read();
            if (atStart.isPresent()) {
                samples++;
                samplingNanos += System.nanoTime() - start;
            }
            take(dueNanos, reading);
        } catch (SearchException unread) {
            failed(unread);
        }
    }

    /** Goes on, over another connection if the server was restarted. */
    @Override
    synchronized void resume() {
        super.resume();
        restartKnown = true;
        try {
            counters.read();
        } catch (SearchException cut) {
            // By the restart, as was to be expected; the next reading connects again.
        }
    }

    /** Reads the counters for the last time, after all sessions were closed, and sums up. */
    synchronized DatabaseActivity finish(long endNanos) {
        long now = System.nanoTime();
        try {
            take(now, counters.readSettled());
        } catch (SearchException unread) {
            failed(unread);
        }
        boolean nothing = last.map(CounterReading.NONE::equals).orElse(true);
        if (atStart.isEmpty() || nothing) {
            return DatabaseActivity.NONE;
        }
        double seconds = clock.measuredSeconds(endNanos);
        double ratio = seconds == 0 ? 0 : Math.round(samplingNanos / seconds / 1e9 * 1e6) / 1e6;
        return activity(last.orElse(CounterReading.NONE).since(atStart.orElseThrow()), samples, ratio);
    }

    /** How long the server worked on each statement in the measured phase, as of the last reading. */
    synchronized StatementTimes statements() {
        return atStart.isEmpty()
                ? StatementTimes.none("the counters of the database could not be read")
                : new StatementTimes(
                        counters.statements(),
                        last.orElseThrow().since(atStart.orElseThrow()).statements());
    }

    @Override
    synchronized List<String> notes() {
        List<String> notes = new ArrayList<>();
        counters.gaps().forEach(gap -> notes.add("not counted by the database: " + gap));
        if (failures > 0) {
            notes.add("the counters of the database could not be read " + failures + " times: " + failure);
        }
        if (startedAnew && !restarted) {
            notes.add("the counters of the database started anew during the run: their differences are too small");
        }
        return notes;
    }

    /** What makes the numbers of the measured phase those of two servers. */
    synchronized List<String> faults() {
        return restarted
                ? List.of("the database was restarted in the measured phase: the numbers are those of two servers, the"
                        + " second one with empty caches")
                : List.of();
    }

    /** Closes the files and the connection. @throws IOException if a file is not complete */
    @Override
    public synchronized void close() throws IOException {
        try (io;
                series;
                counters) {
            flush();
        }
    }

    private void failed(SearchException unread) {
        failures++;
        failure = String.valueOf(unread.getMessage());
    }

    private void take(long nanos, CounterReading read) {
        CounterReading reading = read;
        if (last.isPresent()) {
            CounterReading before = last.orElseThrow();
            startedAnew |= read.startedAnewSince(before);
            restarted |= atStart.isPresent() && !restartKnown && read.restartedSince(before);
            restartKnown = false;
            reading = read.notBelow(before);
            write(nanos, reading.since(before));
        }
        last = Optional.of(reading);
        if (atStart.isEmpty() && nanos - clock.measureNanos() >= 0) {
            atStart = last;
        }
    }

    private void write(long nanos, CounterReading difference) {
        difference
                .io()
                .values()
                .forEach(counts -> io.row(
                        clock.second(nanos),
                        counts.category(),
                        counts.reads(),
                        counts.readBytes(),
                        counts.writes(),
                        counts.writtenBytes(),
                        counts.hits()));
        difference.counters().forEach((name, value) -> {
            if (value != 0) {
                series.row(clock.second(nanos), name, value);
            }
        });
        flush();
    }

    private void flush() {
        io.flush();
        series.flush();
    }

    private static DatabaseActivity activity(CounterReading difference, long samples, double samplingRatio) {
        List<Relation> relations = difference.relations().values().stream()
                .filter(relation -> relation.blocksRead() + relation.blocksHit() > 0)
                .sorted(Comparator.comparing(Relation::name))
                .toList();
        Map<String, Long> changed = new TreeMap<>(difference.counters());
        changed.values().removeIf(value -> value == 0);
        return new DatabaseActivity(List.copyOf(difference.io().values()), relations, changed, samples, samplingRatio);
    }
}
