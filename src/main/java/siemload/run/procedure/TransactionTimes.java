package siemload.run.procedure;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.database.TargetException;
import siemload.results.RunFile;
import siemload.results.TableWriter;
import siemload.scenario.UserClass;

/**
 * How long transactions took, from when a user wanted one to its acknowledged end, tries that failed included: in microseconds,
 * with three significant digits. Users record from any thread; all else is done by one.
 */
final class TransactionTimes implements AutoCloseable {
    private static final int DIGITS = 3;

    private final Map<UserClass, Recorder> recorders = new EnumMap<>(UserClass.class);
    private final Map<UserClass, Histogram> measured = new EnumMap<>(UserClass.class);
    private final Map<UserClass, Histogram> intervals = new EnumMap<>(UserClass.class);
    private final TransactionCounts counts;
    private final RunTables tables;
    private final TableWriter table;
    private long conflictsBefore;
    private long lostBefore;

    TransactionTimes(Set<UserClass> classes, TransactionCounts counts, RunTables tables) {
        this.counts = counts;
        this.tables = tables;
        for (UserClass one : classes) {
            recorders.put(one, new Recorder(DIGITS));
            measured.put(one, new Histogram(DIGITS));
        }
        this.table = tables.open(RunFile.TRANSACTIONS);
    }

    /** Whether transactions count. */
    enum Phase {
        WARMUP,
        MEASURED
    }

    /** What a user records its times with. */
    Recorder recorder(UserClass one) {
        return Objects.requireNonNull(recorders.get(one));
    }

    /** Ends an interval at this instant, of which all transactions that ended in it belong to this phase. */
    void endInterval(long nanos, Phase phase) {
        Histogram all = new Histogram(DIGITS);
        recorders.forEach((one, recorder) -> {
            Histogram interval = recorder.getIntervalHistogram(intervals.get(one));
            intervals.put(one, interval);
            all.add(interval);
            if (phase == Phase.MEASURED) {
                of(one).add(interval);
            }
        });
        long conflicts = counts.conflicts.sum();
        long lost = counts.lost.sum();
        table.row(
                tables.second(nanos),
                phase == Phase.MEASURED ? "measured" : "warmup",
                all.getTotalCount(),
                conflicts - conflictsBefore,
                lost - lostBefore,
                all.getValueAtPercentile(50),
                all.getValueAtPercentile(95),
                all.getValueAtPercentile(99),
                all.getMaxValue());
        table.flush();
        conflictsBefore = conflicts;
        lostBefore = lost;
    }

    /** Those of one class in the measured time. */
    Histogram of(UserClass one) {
        return Objects.requireNonNull(measured.get(one));
    }

    /** Those of all classes. */
    Histogram all() {
        Histogram all = new Histogram(DIGITS);
        measured.values().forEach(all::add);
        return all;
    }

    @Override
    public void close() {
        try {
            table.close();
        } catch (IOException incomplete) {
            throw new TargetException(String.valueOf(incomplete.getMessage()), incomplete);
        }
    }
}
