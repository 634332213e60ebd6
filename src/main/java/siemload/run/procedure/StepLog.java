package siemload.run.procedure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;
import siemload.config.Choices;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.SearchException;
import siemload.query.Page;
import siemload.query.Search;
import siemload.results.RunResult.StepRecord;

/**
 * The progress of a procedure: its steps in order, and whether it should end at once. A procedure that should end cancels its running work
 * on the server, and keeps earlier measurements. Thread-safe.
 */
public final class StepLog {
    /** A step is one search or one load: this many failures in a row are not an accident. */
    public static final int MOST_FAILURES_IN_A_ROW = 3;

    private final List<StepRecord> steps = new ArrayList<>();
    private final Runnable tooManyFailures;
    private int failuresInARow;
    private final List<Runnable> cancellations = new CopyOnWriteArrayList<>();
    private volatile boolean isInterrupted;

    /** @param tooManyFailures what to do after {@link #MOST_FAILURES_IN_A_ROW} failed steps in a row */
    public StepLog(Runnable tooManyFailures) {
        this.tooManyFailures = tooManyFailures;
    }

    synchronized void add(Step step) {
        steps.add(new StepRecord(step.name, step.facts, step.figures, step.io));
        failuresInARow = step.facts.containsKey(StepRecord.ERROR) ? failuresInARow + 1 : 0;
        if (failuresInARow == MOST_FAILURES_IN_A_ROW) {
            tooManyFailures.run();
        }
    }

    public synchronized List<StepRecord> steps() {
        return List.copyOf(steps);
    }

    /** Ends the procedure. */
    public void interrupt() {
        isInterrupted = true;
        cancellations.forEach(Runnable::run);
    }

    /** Returns whether the procedure should end. */
    public boolean isInterrupted() {
        return isInterrupted;
    }

    /** Adds an action that cancels running work; the action runs at most twice, and at once if the procedure should already end. */
    void onInterrupt(Runnable cancellation) {
        cancellations.add(cancellation);
        if (isInterrupted) {
            cancellation.run();
        }
    }

    /** Checks between two steps whether to go on. @throws CancellationException if the procedure should end */
    void check() {
        if (isInterrupted) {
            throw new CancellationException("the run was interrupted");
        }
    }

    /** Performs the work of a step. A failed search makes the step fail, but if the run was interrupted, the procedure ends instead. */
    void tried(Step step, Runnable work) {
        try {
            work.run();
        } catch (SearchException failure) {
            check();
            step.failed(String.valueOf(failure.getMessage()));
        }
    }

    /** Performs the work of a step, and adds the step to the log. */
    void attempt(Step step, Runnable work) {
        tried(step, work);
        add(step);
    }

    /** A step in progress. Used by one thread. */
    static final class Step {
        private final String name;
        private final Map<String, String> facts = new TreeMap<>();
        private final Map<String, Double> figures = new TreeMap<>();
        private List<Io> io = List.of();

        /** @param name the name by which runs are compared, the same in every run */
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

        /** Adds the server's plan, if known. */
        Step plan(String shape) {
            return shape.isEmpty() ? this : fact("planShape", shape);
        }

        /** Adds a figure; its name contains the unit. */
        Step figure(String key, Number value) {
            figures.put(key, value.doubleValue());
            return this;
        }

        /** Returns a figure added before; 0 if there is none. */
        double figure(String key) {
            return figures.getOrDefault(key, 0.0);
        }

        /** Adds some percentiles of times in microseconds, with names such as {@code itemP50Micros}. */
        Step percentiles(String prefix, Histogram micros, double... percents) {
            for (double percent : percents) {
                String digits = String.valueOf(percent).replaceAll("[.]0$|[.]", "");
                figure(prefix + digits + "Micros", micros.getValueAtPercentile(percent));
            }
            return this;
        }

        Step timed(Servers.TimedSearch search) {
            return fact("answersHash", search.answersHash())
                    .figure("firstEventMicros", search.firstEventMicros())
                    .figure("lastEventMicros", search.lastEventMicros())
                    .figure("rows", search.rows())
                    .figure("bytes", search.bytes());
        }

        /** Adds what the server counted during the step, if anything: blocks of tables and indexes, and all input and output by purpose. */
        Step counted(Optional<CounterReading> counted) {
            counted.map(CounterReading::tablesAndIndexes)
                    .ifPresent(blocks -> figure("blocksRead", blocks.reads())
                            .figure("blocksHit", blocks.hits())
                            .figure("blocksTouched", blocks.reads() + blocks.hits()));
            return readAndWritten(counted);
        }

        Step readAndWritten(Optional<CounterReading> counted) {
            io = counted.map(all -> List.copyOf(all.io().values())).orElse(List.of());
            return this;
        }

        /** Adds the number of events, how long they took, and the events per second. */
        Step events(long events, double seconds) {
            return figure("seconds", seconds)
                    .figure("events", events)
                    .figure("eventsPerSecond", seconds == 0 ? 0 : events / seconds);
        }

        /** Adds the size of all tables and indexes, if the server reports it. */
        Step sized(Map<String, Long> relations) {
            long all = sum(relations);
            return all == 0 ? this : figure("bytes", all);
        }

        static long sum(Map<String, Long> relations) {
            return relations.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Ends the step as failed, without figures: its measurements do not count. */
        Step failed(String why) {
            figures.clear();
            io = List.of();
            return fact(StepRecord.ERROR, why);
        }
    }
}
