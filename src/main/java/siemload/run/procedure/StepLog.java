package siemload.run.procedure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.Choices;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.OwnTransactions.TransactionException;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.query.Page;
import siemload.query.Search;
import siemload.results.RunResult.StepRecord;

/**
 * How far a procedure has come: its steps in their order; its searches, batches and transactions, whichever step asked for them, which are
 * looked at for harm; and whether it should end at once. Then what is being waited for on the server is given up, and what was measured
 * before is kept. Thread-safe; intervals are ended by one thread.
 */
public final class StepLog {
    /** A step is one search or one load: so many in a row that fail are no accident. */
    public static final int MOST_FAILURES_IN_A_ROW = 3;

    private final List<StepRecord> steps = new ArrayList<>();
    private final Runnable tooManyFailures;
    private int failuresInARow;
    private final LongAdder ended = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Recorder times = new Recorder(3);
    private final List<Runnable> cancellations = new CopyOnWriteArrayList<>();
    private volatile boolean isInterrupted;

    /** @param tooManyFailures what to do when that many steps in a row have failed */
    public StepLog(Runnable tooManyFailures) {
        this.tooManyFailures = tooManyFailures;
    }

    synchronized void add(Step step) {
        steps.add(new StepRecord(step.name, step.facts, step.figures, step.io));
        failuresInARow = step.error().isPresent() ? failuresInARow + 1 : 0;
        if (failuresInARow == MOST_FAILURES_IN_A_ROW) {
            tooManyFailures.run();
        }
    }

    public synchronized List<StepRecord> steps() {
        return List.copyOf(steps);
    }

    /**
     * Does a search, batch or transaction, and counts it with its time. Of two transactions that met at one row one is rolled back, which
     * is no failure: that is how they are kept apart, and it is tried again.
     */
    <T> T counted(Supplier<T> work) {
        long start = System.nanoTime();
        try {
            T result = work.get();
            times.recordValue(Math.max(0, System.nanoTime() - start) / 1_000);
            ended.increment();
            return result;
        } catch (SearchException | TransactionException thrown) {
            if (!(thrown instanceof TransactionException transaction
                    && transaction.kind() == TransactionException.Kind.CONFLICT)) {
                failed.increment();
                ended.increment();
            }
            throw thrown;
        }
    }

    /** How many searches, batches and transactions have ended so far. */
    public long endedSoFar() {
        return ended.sum();
    }

    public long failedSoFar() {
        return failed.sum();
    }

    /** Ends an interval. @return the times in microseconds of those that succeeded in it */
    public Histogram endInterval() {
        return times.getIntervalHistogram();
    }

    /** Ends the procedure. */
    public void interrupt() {
        isInterrupted = true;
        cancellations.forEach(Runnable::run);
    }

    /** Whether it should end. */
    public boolean isInterrupted() {
        return isInterrupted;
    }

    /** Adds what gives up something that is being waited for; done at once where the procedure should end already, twice at most. */
    void onInterrupt(Runnable cancellation) {
        cancellations.add(cancellation);
        if (isInterrupted) {
            cancellation.run();
        }
    }

    /** Does nothing, or ends the procedure where that is asked for: to be called between two steps. */
    void check() {
        if (isInterrupted) {
            throw new Interrupted();
        }
    }

    /**
     * Does what a step is about. A search that fails makes the step fail; where the run is interrupted, that was why, and the
     * procedure ends.
     */
    void tried(Step step, Runnable work) {
        try {
            work.run();
        } catch (SearchException failure) {
            check();
            step.failed(String.valueOf(failure.getMessage()));
        }
    }

    /** The same, and adds the step. */
    void attempt(Step step, Runnable work) {
        tried(step, work);
        add(step);
    }

    /** Ends a procedure whose end was asked for. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Interrupted() {
            super("the procedure was interrupted");
        }
    }

    /** A step while it is done. Used by one thread. */
    static final class Step {
        private final String name;
        private final Map<String, String> facts = new TreeMap<>();
        private final Map<String, Double> figures = new TreeMap<>();
        private List<Io> io = List.of();

        /** @param name what runs are compared by, the same in every run */
        Step(String name) {
            this.name = name;
        }

        Step fact(String key, Object value) {
            facts.put(key, value instanceof Enum<?> choice ? Choices.camelCase(choice) : String.valueOf(value));
            return this;
        }

        Step search(Search search) {
            return fact("search", search.name())
                    .fact("order", search.order())
                    .fact("page", search.page() instanceof Page.Numbered page ? page.size() : "whole");
        }

        /** Adds how the server went about it, where that is known. */
        Step plan(String shape) {
            return shape.isEmpty() ? this : fact("planShape", shape);
        }

        /** Adds a number; its name bears the unit. */
        Step figure(String key, double value) {
            figures.put(key, value);
            return this;
        }

        /** Adds a whole number; its name bears the unit. */
        Step figure(String key, long value) {
            return figure(key, (double) value);
        }

        /** A number that was added; 0 where none was. */
        double figure(String key) {
            return figures.getOrDefault(key, 0.0);
        }

        /** Adds some percentiles of times in microseconds: {@code itemP50Micros}. */
        Step percentiles(String prefix, Histogram micros, double... percents) {
            for (double percent : percents) {
                String digits = String.valueOf(percent).replaceAll("[.]0$|[.]", "");
                figure(prefix + digits + "Micros", micros.getValueAtPercentile(percent));
            }
            return this;
        }

        Step timed(TimedSearch search) {
            return fact("answersHash", search.answersHash())
                    .figure("firstEventMicros", search.firstEventMicros())
                    .figure("lastEventMicros", search.lastEventMicros())
                    .figure("rows", search.rows())
                    .figure("bytes", search.bytes());
        }

        /** Adds what the server counted meanwhile: blocks of tables and indexes, and all that it read and wrote by purpose. */
        Step counted(CounterReading counted) {
            Io blocks = counted.tablesAndIndexes();
            return readAndWritten(counted.io().values())
                    .figure("blocksRead", blocks.reads())
                    .figure("blocksHit", blocks.hits())
                    .figure("blocksTouched", blocks.reads() + blocks.hits());
        }

        Step readAndWritten(Collection<Io> counted) {
            io = List.copyOf(counted);
            return this;
        }

        /** Adds how long it took, and how many events a second that is. */
        Step events(long events, double seconds) {
            return figure("seconds", seconds)
                    .figure("events", events)
                    .figure("eventsPerSecond", seconds == 0 ? 0 : events / seconds);
        }

        /** Adds the size of all tables and indexes, where the server tells it. */
        Step sized(Store store) {
            return sized(store.relationBytes().values());
        }

        Step sized(Collection<Long> bytes) {
            long all = bytes.stream().mapToLong(Long::longValue).sum();
            return all == 0 ? this : figure("bytes", all);
        }

        /** Ends the step as failed, without figures: what was measured of it does not count. */
        Step failed(String why) {
            figures.clear();
            io = List.of();
            return fact(StepRecord.ERROR, why);
        }

        /** Why it failed; empty where it did not. */
        Optional<String> error() {
            return Optional.ofNullable(facts.get(StepRecord.ERROR));
        }
    }
}
