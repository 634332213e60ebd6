package siemload.run.procedure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import siemload.config.Choices;
import siemload.database.Counters;
import siemload.database.Counters.CounterReading;
import siemload.database.OwnTransactions;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.dataset.SeededRandom;
import siemload.query.StatementText;
import siemload.results.RunFile;
import siemload.results.TableWriter;
import siemload.run.procedure.TransactionUser.Mishap;
import siemload.scenario.Procedure.Transactions;

/** Sets up the tables of a scenario, lets all users at them for a fixed time, and then sees whether its invariants hold. */
final class TransactionSteps {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MICROS_OF_MILLI = 1e3;

    private final Transactions procedure;
    private final ProcedureContext context;
    private final OwnTransactions transactions;
    private final TransactionUser.Shared shared;

    TransactionSteps(Transactions procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
        this.shared = new TransactionUser.Shared(context);
        this.transactions = context.store()
                .transactions()
                .orElseThrow(() ->
                        new TargetException("this target has no transactions of own statements; choose another one"));
    }

    void run() {
        setUp();
        Optional<TargetException> failure;
        try (Times times = new Times();
                ServerWatch server = new ServerWatch(context.store())) {
            failure = work(times, server);
        } finally {
            shared.end(); // For users of whom not all could be started.
        }
        try {
            checkInvariants();
        } catch (TargetException unasked) {
            // A server that has failed may not answer either, which is no more than a consequence.
            failure.ifPresent(cause -> cause.addSuppressed(unasked));
            throw failure.orElse(unasked);
        }
        failure.ifPresent(broken -> {
            throw broken;
        });
    }

    private void setUp() {
        List<String> statements =
                procedure.setup().stream().map(StatementText::written).toList();
        try (ServerWatch server = new ServerWatch(context.store())) {
            server.start();
            long start = System.nanoTime();
            int[] begun = {0};
            transactions.setUp(statements, statement -> {
                context.interruption().check();
                begun[0]++;
                context.status("setting up, statement %d of %d", begun[0], statements.size());
            });
            double seconds = Math.max(1, System.nanoTime() - start) / 1e9;
            context.progress().status("checkpoint");
            context.store().maintenance().ifPresent(Maintenance::checkpoint);
            Step step = new Step("setup").figure("seconds", seconds);
            long bytes = WriteSteps.diskBytes(context.store());
            server.sinceStart().ifPresent(step::readAndWritten);
            context.steps().add((bytes > 0 ? step.figure("bytes", bytes) : step).done());
        }
    }

    /** Lets the users work, and adds what was measured of it. @return why it failed, if it did */
    private Optional<TargetException> work(Times times, ServerWatch server) {
        ParallelTasks users = ParallelTasks.start("user", users(times));
        long start = System.nanoTime();
        long measureStart = start + procedure.warmup().toNanos();
        ParallelTasks crash = ParallelTasks.start(
                "crash",
                procedure.crash().stream()
                        .<Runnable>map(after -> () -> crashAt(measureStart + after.toNanos()))
                        .toList());
        Optional<RuntimeException> failure;
        try {
            seconds(start, measureStart, false, users, times, server);
            server.start();
            seconds(measureStart, measureStart + procedure.duration().toNanos(), true, users, times, server);
        } finally {
            shared.end();
            context.progress().status("waiting for the last transactions");
            Optional<RuntimeException> ofUsers = users.join();
            // A server that did not come back is why users failed.
            failure = crash.join().or(() -> ofUsers);
        }
        long last = System.nanoTime();
        times.endInterval(last, last - measureStart >= 0);
        double measured = Math.max(0, last - measureStart) / 1e9;
        server.look(true);
        addSteps(times, measured, failure.isEmpty() && measured > 0 ? server.sinceStart() : Optional.empty());
        server.checkpoints.forEach(step -> context.steps().add(step.done()));
        return failure.map(cause -> cause instanceof TargetException broken
                ? broken
                : new TargetException("transactions failed: " + cause, cause));
    }

    private List<TransactionUser> users(Times times) {
        List<TransactionUser> users = new ArrayList<>();
        List<OwnTransactions.Session> sessions = new ArrayList<>();
        try {
            procedure.users().forEach((name, count) -> {
                TransactionUser.Work work = new TransactionUser.Work(procedure, name);
                for (int i = 0; i < count; i++) {
                    OwnTransactions.Session session = transactions.openSession();
                    sessions.add(session);
                    SeededRandom random = SeededRandom.of(context.seed(), users.size());
                    users.add(new TransactionUser(
                            session, work, random, times.of(name).recorder(), shared));
                }
            });
        } catch (RuntimeException refused) {
            sessions.forEach(OwnTransactions.Session::close);
            throw refused;
        }
        return users;
    }

    private void crashAt(long due) {
        BooleanSupplier ended = () -> shared.isOver() || context.interruption().isAsked();
        waitUntil(due, ended);
        if (!ended.getAsBoolean()) {
            context.crash().run();
        }
    }

    /** Ends an interval at each full second, until the phase or the users have ended. */
    private void seconds(long start, long end, boolean counts, ParallelTasks users, Times times, ServerWatch server) {
        long due = start;
        while (due < end && !users.haveFailed() && !context.interruption().isAsked()) {
            due = Math.min(due + SECOND, end);
            waitUntil(due, () -> context.interruption().isAsked());
            times.endInterval(System.nanoTime(), counts);
            server.look(false);
            context.status(
                    "%d users, %s: %.0f s left",
                    procedure.connections(), counts ? "measuring" : "warm-up", (end - due) / 1e9);
        }
    }

    private static void waitUntil(long due, BooleanSupplier isEndedBefore) {
        for (long left = due - System.nanoTime();
                left > 0 && !isEndedBefore.getAsBoolean();
                left = due - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, SECOND / 20));
        }
    }

    private void addSteps(Times times, double seconds, Optional<CounterReading> counted) {
        Histogram all = times.all();
        context.progress()
                .line(String.format(
                        Locale.ROOT,
                        "%,.0f transactions/s of %d users; p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                        seconds > 0 ? all.getTotalCount() / seconds : 0,
                        procedure.connections(),
                        all.getValueAtPercentile(50) / MICROS_OF_MILLI,
                        all.getValueAtPercentile(99) / MICROS_OF_MILLI,
                        all.getMaxValue() / MICROS_OF_MILLI));
        Step step = timed(new Step("transactions"), all, seconds, procedure.connections())
                .fact("classes", String.join(" ", procedure.users().keySet()));
        for (Mishap mishap : Mishap.values()) {
            step.figure(Choices.camelCase(mishap), times.mishaps.getOrDefault(mishap, 0L));
        }
        procedure.crash().ifPresent(after -> step.fact("crash", after));
        counted.ifPresent(step::readAndWritten);
        context.steps().add(step.done());
        procedure.users().forEach((name, users) -> {
            Step one = timed(new Step("transactions " + name), times.of(name).measured(), seconds, users);
            counted.filter(unused -> procedure.users().size() == 1).ifPresent(one::readAndWritten);
            context.steps().add(one.done());
        });
    }

    private static Step timed(Step step, Histogram times, double seconds, int users) {
        if (seconds > 0) {
            step.figure("transactionsPerSecond", times.getTotalCount() / seconds);
        }
        return step.fact("users", users)
                .figure("transactions", times.getTotalCount())
                .figure("meanMicros", times.getMean())
                .figure("p50Micros", times.getValueAtPercentile(50))
                .figure("p95Micros", times.getValueAtPercentile(95))
                .figure("p99Micros", times.getValueAtPercentile(99))
                .figure("p999Micros", times.getValueAtPercentile(99.9))
                .figure("maxMicros", times.getMaxValue());
    }

    /** Also after a failure: what was acknowledged must be there. */
    private void checkInvariants() {
        context.progress().status("checking the invariants");
        Step step = new Step("invariants");
        List<String> holds = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        procedure.committed().ifPresent(committed -> {
            long there = transactions.number(committed.count().written());
            long acknowledged = shared.acknowledged.sum();
            long unknown = shared.unknown.sum();
            step.figure(committed.name(), there)
                    .figure("acknowledged", acknowledged)
                    .figure("unknown", unknown);
            holds.add(String.format(Locale.ROOT, "%,d %s", there, committed.name()));
            if (unknown > 0) {
                holds.add(String.format(Locale.ROOT, "the outcome of %,d is unknown", unknown));
            }
            if (there < acknowledged || there > acknowledged + unknown) {
                faults.add(String.format(
                        Locale.ROOT,
                        "there are %,d %s, but %,d were acknowledged%s",
                        there,
                        committed.name(),
                        acknowledged,
                        there < acknowledged
                                ? String.format(Locale.ROOT, ": %,d are lost", acknowledged - there)
                                : String.format(Locale.ROOT, " and the outcome of %,d is unknown", unknown)));
            }
        });
        procedure.invariants().forEach((name, queries) -> {
            List<Long> numbers = queries.stream()
                    .map(query -> transactions.number(query.written()))
                    .toList();
            long last = numbers.get(numbers.size() - 1);
            step.figure(name, last);
            holds.add(String.format(Locale.ROOT, "%,d %s", last, name));
            if (numbers.stream().distinct().count() > 1) {
                faults.add("the queries of " + name + " give " + numbers + ", and not one number");
            }
        });
        String broken = "the invariants do not hold";
        context.steps().add((faults.isEmpty() ? step : step.failed(broken + ": " + String.join("; ", faults))).done());
        context.progress().line(faults.isEmpty() ? "the invariants hold: " + String.join(", ", holds) : broken);
    }

    /**
     * How long transactions took, from when a user wanted one to its acknowledged end, tries that failed included: in microseconds,
     * with three significant digits. Users record from any thread; all else is done by one.
     */
    private final class Times implements AutoCloseable {
        private static final int DIGITS = 3;

        private final SortedMap<String, OfClass> classes = new TreeMap<>();
        private final Map<Mishap, Long> mishaps = new EnumMap<>(Mishap.class);
        private final TableWriter table = context.table(RunFile.TRANSACTIONS);

        /** @param measured those of the measured time, as of the end of the last interval */
        private record OfClass(Recorder recorder, Histogram measured) {}

        Times() {
            procedure
                    .users()
                    .keySet()
                    .forEach(one -> classes.put(one, new OfClass(new Recorder(DIGITS), new Histogram(DIGITS))));
        }

        /** Ends an interval at this instant, which counts if it is of the measured time. */
        void endInterval(long nanos, boolean counts) {
            Histogram all = new Histogram(DIGITS);
            for (OfClass one : classes.values()) {
                Histogram interval = one.recorder().getIntervalHistogram();
                all.add(interval);
                if (counts) {
                    one.measured().add(interval);
                }
            }
            Map<Mishap, Long> ofInterval = shared.takeMishaps();
            if (counts) {
                ofInterval.forEach((mishap, count) -> mishaps.merge(mishap, count, Long::sum));
            }
            table.row(
                    context.second(nanos),
                    counts ? "measured" : "warmup",
                    all.getTotalCount(),
                    ofInterval.getOrDefault(Mishap.CONFLICTS, 0L),
                    ofInterval.getOrDefault(Mishap.CONNECTIONS_LOST, 0L),
                    all.getValueAtPercentile(50),
                    all.getValueAtPercentile(95),
                    all.getValueAtPercentile(99),
                    all.getMaxValue());
            table.flush();
        }

        OfClass of(String one) {
            return Objects.requireNonNull(classes.get(one));
        }

        /** Those of all classes in the measured time. */
        Histogram all() {
            Histogram all = new Histogram(DIGITS);
            classes.values().forEach(one -> all.add(one.measured()));
            return all;
        }

        @Override
        public void close() {
            ProcedureContext.close(table);
        }
    }

    /**
     * What the server reads and writes, where it lets us see its counters, and its checkpoints: with what was written since the one
     * before. Users who are at work hand in what they counted up to a second later, so that as much of the time before the start may be in
     * it. Used by one thread.
     */
    private static final class ServerWatch implements AutoCloseable {
        private static final double MILLIS = 1_000;
        private static final Map<String, String> BLOCKS = Map.of(
                "blocks", "blocksByCheckpoint",
                "blocksByWriter", "blocksByWriter",
                "blocksBySessions", "blocksBySessions");

        /** Opened before they are needed: to connect may take long where many are at work. */
        private final Optional<Counters> counters;

        private final List<Step> checkpoints = new ArrayList<>();
        private Optional<CounterReading> before = Optional.empty();
        private Optional<Seen> last = Optional.empty();

        /** @param completedAt when that many checkpoints were seen first */
        private record Seen(CounterReading reading, long completedAt) {
            /** By how much a counter of checkpoints is higher than before; empty where the server does not tell it. */
            Optional<Long> since(Seen earlier, String counter) {
                return told(counter).flatMap(now -> earlier.told(counter).map(then -> now - then));
            }

            private Optional<Long> told(String counter) {
                return Optional.ofNullable(reading.counters().get("checkpoints." + counter));
            }
        }

        ServerWatch(Store store) {
            this.counters = told(store::openCounters);
        }

        private static <T> Optional<T> told(Supplier<Optional<T>> asked) {
            try {
                return asked.get();
            } catch (SearchException | TargetException untold) {
                return Optional.empty();
            }
        }

        private Optional<CounterReading> read() {
            return told(() -> counters.map(Counters::read));
        }

        /** Starts to count. */
        void start() {
            before = read().filter(known -> !known.io().isEmpty());
        }

        /** What was counted once all have ended; nothing where the server was started anew, which forgets its counts. */
        Optional<CounterReading> sinceStart() {
            return before.flatMap(then -> told(() -> counters.map(Counters::readSettled))
                    .filter(now -> !now.restartedSince(then))
                    .map(now -> now.since(then)));
        }

        /** Looks whether the server has completed a checkpoint; at the end comes what was written since the last one. */
        void look(boolean atEnd) {
            Optional<Seen> seen = read().map(reading -> new Seen(reading, System.nanoTime()));
            if (seen.isEmpty()) {
                return; // The server is being restarted, or will be missed by everybody else, too.
            }
            Seen now = seen.orElseThrow();
            if (last.isEmpty()
                    || now.reading().startedAnewSince(last.orElseThrow().reading())) {
                last = seen;
                return;
            }
            Seen then = last.orElseThrow();
            boolean isDone =
                    now.since(then, "completed").filter(more -> more > 0).isPresent();
            if (isDone || atEnd) {
                Step step = new Step(isDone ? "checkpoint" : "after the last checkpoint")
                        .figure("secondsSinceLast", (now.completedAt() - then.completedAt()) / (double) SECOND);
                BLOCKS.forEach(
                        (counter, figure) -> now.since(then, counter).ifPresent(blocks -> step.figure(figure, blocks)));
                if (isDone) {
                    step.fact("number", now.told("completed").orElse(0L))
                            .fact("time", Instant.now().truncatedTo(ChronoUnit.SECONDS));
                    now.since(then, "millis").ifPresent(millis -> step.figure("seconds", millis / MILLIS));
                    last = seen;
                }
                checkpoints.add(step);
            }
        }

        /** Gives the connection back. */
        @Override
        public void close() {
            counters.ifPresent(Counters::close);
        }
    }
}
