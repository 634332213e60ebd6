package siemload.measure.monitor;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import siemload.config.MetricsUrl;
import siemload.database.Counters;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.measure.RunClock;
import siemload.results.DatabaseActivity;
import siemload.results.HostActivity;
import siemload.results.HostActivity.HostFigures;
import siemload.results.MicrosSummary;
import siemload.results.RunWriter;

/**
 * Watches database and machine during one run, each once a second by a thread of its own, and writes what it sees into
 * the run's directory: {@code host.csv}, {@code disks.csv}, {@code database-io.csv} and {@code database-counters.csv}.
 * Thread-safe.
 */
public final class RunMonitor implements AutoCloseable {
    /** Before the load, so that Java has compiled most of it. */
    private static final int REHEARSALS = 10;

    private static final String SILENT = "the database did not answer when its counters were read at the end";

    private final RunWriter writer;
    private final Optional<Counters> counters;
    private final DatabaseProcesses processes;
    private final MachineReader machine;
    private final List<OtherHost> others;
    private final List<String> notes;
    /** Why nothing is known of the database where it is not watched. */
    private final String untold;

    private final List<String> faults = new ArrayList<>();
    private Optional<Running> running = Optional.empty();
    private boolean hangs;

    private RunMonitor(
            RunWriter writer,
            Optional<Counters> counters,
            DatabaseProcesses processes,
            MachineReader machine,
            List<OtherHost> others,
            List<String> notes) {
        this.notes = notes;
        this.untold = notes.isEmpty() ? "siemload reads no counters of this database" : notes.get(0);
        this.writer = writer;
        this.counters = counters;
        this.processes = processes;
        this.machine = machine;
        this.others = others;
    }

    private record Running(
            HostTables tables,
            HostWatch host,
            EverySecond hostThread,
            OtherHosts others,
            Optional<DatabaseWatch> database,
            Optional<EverySecond> databaseThread,
            GcPauses pauses) {}

    /**
     * What was seen in the measured phase.
     *
     * @param statements how long the server worked on each
     * @param hosts this host, and others that were watched, as sysstat would show them
     * @param faults what happened that leaves the numbers without a meaning
     * @param notes what could not be seen, and why
     */
    public record Seen(
            DatabaseActivity database,
            StatementTimes statements,
            HostActivity host,
            List<HostFigures> hosts,
            List<String> faults,
            List<String> notes) {
        /** Nothing was watched. */
        public static final Seen NOTHING = new Seen(
                DatabaseActivity.NONE,
                StatementTimes.none("nothing was watched"),
                HostActivity.NONE,
                List.of(),
                List.of(),
                List.of());

        public Seen {
            hosts = List.copyOf(hosts);
            faults = List.copyOf(faults);
            notes = List.copyOf(notes);
        }
    }

    /**
     * Gets everything ready before the load, so that nothing has to be found out during it.
     *
     * @param writer writes into the directory of the run
     * @param opening opens the counters of the database, if it has any; where it refuses, the run goes on without
     * @param others where other hosts that are watched, too, tell their metrics
     */
    public static RunMonitor open(
            RunWriter writer,
            Supplier<Optional<Counters>> opening,
            DatabaseProcesses processes,
            List<MetricsUrl> others) {
        MachineReader machine = new MachineReader(processes);
        for (int i = 0; i < REHEARSALS; i++) {
            machine.read();
        }
        List<String> notes = new ArrayList<>();
        Optional<Counters> counters = Optional.empty();
        try {
            counters = opening.get();
            for (int i = 0; i < REHEARSALS; i++) {
                counters.ifPresent(Counters::read);
            }
        } catch (TargetException | SearchException refused) {
            notes.add("the counters of the database could not be read: " + refused.getMessage());
            counters.ifPresent(Counters::close);
            counters = Optional.empty();
        }
        List<OtherHost> hosts =
                others.stream().<OtherHost>map(NodeExporter::new).toList();
        return new RunMonitor(writer, counters, processes, machine, hosts, notes);
    }

    /** Watches this process alone, from the start of the clock on. */
    public static OwnProcess ownProcess(RunClock clock) {
        GcPauses pauses = new GcPauses(clock);
        pauses.start();
        return new OwnProcess(pauses);
    }

    /** What is seen of this process, where others watch database and machine. */
    public static final class OwnProcess implements AutoCloseable {
        private final GcPauses pauses;

        private OwnProcess(GcPauses pauses) {
            this.pauses = pauses;
        }

        /**
         * What was seen of it in the measured phase.
         *
         * @param eventLoopLateness as for {@link RunMonitor#finish}
         */
        public Seen seen(MicrosSummary eventLoopLateness) {
            HostActivity own = HostActivity.ofProcess(pauses.pauses(), eventLoopLateness);
            return new Seen(DatabaseActivity.NONE, Seen.NOTHING.statements(), own, List.of(), List.of(), List.of());
        }

        @Override
        public void close() {
            pauses.close();
        }
    }

    /** Those of the other hosts that do not answer now, each with the reason; asked for before anything is measured. */
    public List<String> unanswered() {
        List<String> unanswered = new ArrayList<>();
        for (OtherHost other : others) {
            try {
                other.read();
            } catch (IOException failure) {
                unanswered.add(other.name() + ": " + failure.getMessage());
            }
        }
        return unanswered;
    }

    /** Counts other processes of this machine as the load generator's, too; to be called before it starts to watch. */
    public synchronized void countAsGenerator(Set<Long> generators) {
        machine.countAsGenerator(generators);
    }

    /** Starts to watch. @throws IOException if a file cannot be written */
    public synchronized void start(RunClock clock) throws IOException {
        HostTables tables = new HostTables(writer);
        HostWatch host = new HostWatch(writer, clock, processes, machine, tables);
        EverySecond hostThread = new EverySecond("siemload-host", clock, host::tick);
        Optional<DatabaseWatch> database = Optional.empty();
        Optional<EverySecond> databaseThread = Optional.empty();
        if (counters.isPresent()) {
            DatabaseWatch watch = new DatabaseWatch(writer, clock, counters.orElseThrow());
            database = Optional.of(watch);
            databaseThread = Optional.of(new EverySecond("siemload-counters", clock, watch::tick));
        }
        GcPauses pauses = new GcPauses(clock);
        OtherHosts otherHosts = new OtherHosts(others, clock, tables);
        running = Optional.of(new Running(tables, host, hostThread, otherHosts, database, databaseThread, pauses));
        pauses.start();
        hostThread.start();
        otherHosts.start();
        databaseThread.ifPresent(EverySecond::start);
    }

    /**
     * Leaves out what happens until the pause is closed: it belongs to the run, but not to what is measured, as a restart of
     * the server. Nothing happens while nothing is watched.
     */
    public synchronized Pause pause() {
        running.ifPresent(now -> {
            now.host().pause();
            now.database().ifPresent(DatabaseWatch::pause);
        });
        return this::resume;
    }

    private synchronized void resume() {
        running.ifPresent(now -> {
            now.database().ifPresent(DatabaseWatch::resume);
            now.host().resume();
        });
    }

    /** A time that does not count. */
    @FunctionalInterface
    public interface Pause extends AutoCloseable {
        /** A pause that nothing takes notice of. */
        Pause NONE = () -> {};

        /** Ends it. */
        @Override
        void close();
    }

    /**
     * Stops watching and sums up; to be called when all sessions of the run are closed.
     *
     * @param endNanos when the load ended
     * @param eventLoopLateness how late the timers of the load generator were in the measured phase
     */
    public synchronized Seen finish(long endNanos, MicrosSummary eventLoopLateness) {
        if (running.isEmpty()) {
            return Seen.NOTHING;
        }
        Running now = running.orElseThrow();
        now.hostThread().close();
        now.others().close();
        HostActivity host = now.host().activity(now.pauses().pauses(), eventLoopLateness);
        List<HostFigures> hosts = new ArrayList<>();
        hosts.add(now.host().figures());
        hosts.addAll(now.others().figures());
        notes.addAll(now.host().notes(others.size()));
        notes.addAll(now.others().notes());
        DatabaseActivity database = now.database().isPresent()
                ? finish(now.database().orElseThrow(), now.databaseThread().orElseThrow(), endNanos)
                : DatabaseActivity.NONE;
        StatementTimes statements = now.database()
                .filter(watch -> !hangs)
                .map(DatabaseWatch::statements)
                .orElseGet(() -> StatementTimes.none(hangs ? SILENT : untold));
        close();
        return new Seen(database, statements, host, hosts, faults, notes);
    }

    private DatabaseActivity finish(DatabaseWatch watch, EverySecond thread, long endNanos) {
        close(thread);
        if (hangs) {
            notes.add(SILENT);
            return DatabaseActivity.NONE;
        }
        DatabaseActivity activity = watch.finish(endNanos);
        notes.addAll(watch.notes());
        faults.addAll(watch.faults());
        return activity;
    }

    /** Gives back what is open; closing twice is harmless. */
    @Override
    public synchronized void close() {
        running.ifPresent(now -> {
            now.hostThread().close();
            now.others().close();
            now.pauses().close();
            closeFile(now.host());
            closeFile(now.tables());
            now.databaseThread().ifPresent(this::close);
            if (!hangs) {
                now.database().ifPresent(this::closeFile);
            }
        });
        running = Optional.empty();
        if (!hangs) {
            counters.ifPresent(Counters::close);
        }
    }

    /** A connection on which an answer is still awaited cannot be closed: nobody waits for that, it goes with the process. */
    private void close(EverySecond databaseThread) {
        databaseThread.close();
        hangs |= !databaseThread.hasEnded();
    }

    private void closeFile(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception incomplete) {
            notes.add(String.valueOf(incomplete.getMessage()));
        }
    }

    /** A host that is not this one, and tells what it does. Used by one thread at a time. */
    private interface OtherHost {

        /** What results call it: no secret, and no comma. */
        String name();

        /**
         * Looks at it; takes a few seconds at most.
         *
         * @throws IOException if it does not answer, or not understandably; the message says which for people
         */
        HostReading read() throws IOException;
    }

    /** Watches the other hosts of a run, each by a thread of its own, so that one that does not answer keeps none waiting. Thread-safe. */
    static final class OtherHosts implements AutoCloseable {
        private final List<OtherHostWatch> watches;
        private final List<EverySecond> threads;

        OtherHosts(List<OtherHost> hosts, RunClock clock, HostTables tables) {
            watches = hosts.stream()
                    .map(host -> new OtherHostWatch(host, clock, tables))
                    .toList();
            threads = watches.stream()
                    .map(watch -> new EverySecond("siemload-other-host", clock, watch::tick))
                    .toList();
        }

        void start() {
            threads.forEach(EverySecond::start);
        }

        /** What each did in the measured phase. */
        List<HostFigures> figures() {
            return watches.stream().map(OtherHostWatch::figures).toList();
        }

        /** What could not be seen, and why. */
        List<String> notes() {
            return watches.stream().flatMap(watch -> watch.notes().stream()).toList();
        }

        /** Stops; the first call waits for answers that are awaited. */
        @Override
        public void close() {
            threads.forEach(EverySecond::close);
        }

        /**
         * Writes what another host did in each second, and sums it up over the measured phase. Seconds in which it does not answer are
         * gaps, and nothing worse: they say nothing of the run. Thread-safe.
         */
        static final class OtherHostWatch {
            /** A difference over more than that says nothing of its last second. */
            private static final double LONGEST_SPAN_SECONDS = 3;

            private final OtherHost host;
            private final RunClock clock;
            private final HostTables tables;
            private final HostSummary summary;
            private Optional<HostReading> last = Optional.empty();
            private boolean measuring;
            private long looks;
            private long failures;
            private String failure = "";

            OtherHostWatch(OtherHost host, RunClock clock, HostTables tables) {
                this.host = host;
                this.clock = clock;
                this.tables = tables;
                this.summary = new HostSummary(host.name());
            }

            /** Looks at the host; what was due at this instant belongs to the second before it. */
            void tick(long dueNanos) {
                try {
                    HostReading look = host.read();
                    take(dueNanos, look);
                } catch (IOException unanswered) {
                    failed(dueNanos, unanswered);
                }
            }

            private synchronized void take(long dueNanos, HostReading look) {
                looks++;
                if (last.isPresent()) {
                    HostSpan span = look.since(last.orElseThrow());
                    if (span.seconds() <= LONGEST_SPAN_SECONDS) {
                        tables.write(clock.second(dueNanos), host.name(), look.levels(), span);
                    }
                    if (measuring) {
                        summary.add(span, look.levels());
                    }
                }
                last = Optional.of(look);
                measuring |= isMeasured(dueNanos);
            }

            private synchronized void failed(long dueNanos, IOException unanswered) {
                looks++;
                failures++;
                failure = String.valueOf(unanswered.getMessage());
                if (isMeasured(dueNanos)) {
                    summary.addFailed();
                }
            }

            private boolean isMeasured(long dueNanos) {
                return dueNanos - clock.measureNanos() >= 0;
            }

            /** What it did in the measured phase. */
            synchronized HostFigures figures() {
                return summary.figures();
            }

            /** What could not be seen, and why. */
            synchronized List<String> notes() {
                if (failures == 0) {
                    return List.of();
                }
                return List.of(
                        failures == looks
                                ? "the host " + host.name() + " was never seen, so that its figures are missing: "
                                        + failure
                                : String.format(
                                        Locale.ROOT,
                                        "the host %s did not answer %d of %d times, which are gaps in its figures: %s",
                                        host.name(),
                                        failures,
                                        looks,
                                        failure));
            }
        }
    }

    /**
     * Listens to the garbage collectors of this process and keeps the pauses of the measured phase; Java tells them in whole
     * milliseconds. Thread-safe.
     */
    static final class GcPauses implements AutoCloseable {
        private final RunClock clock;
        private final long javaStartNanos;
        private final NotificationListener listener = (notification, handback) -> take(notification);
        private final List<NotificationEmitter> emitters = new ArrayList<>();
        private long count;
        private long totalMicros;
        private long maxMicros;

        GcPauses(RunClock clock) {
            this.clock = clock;
            this.javaStartNanos = System.nanoTime()
                    - TimeUnit.MILLISECONDS.toNanos(
                            ManagementFactory.getRuntimeMXBean().getUptime());
        }

        /** Starts to listen to those collectors that stop the program while they work. */
        void start() {
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                if (collector instanceof NotificationEmitter emitter && stopsTheWorld(collector.getName())) {
                    emitter.addNotificationListener(listener, null, null);
                    emitters.add(emitter);
                }
            }
        }

        /** Java has beans for whole cycles, which run beside the program, as {@code ZGC Cycles}, and beans for pauses. */
        static boolean stopsTheWorld(String collector) {
            return !collector.contains("Cycles") && !collector.contains("Concurrent");
        }

        /** The pauses of the measured phase. */
        synchronized HostActivity.Pauses pauses() {
            return new HostActivity.Pauses(count, totalMicros, maxMicros);
        }

        @Override
        public void close() {
            for (NotificationEmitter emitter : emitters) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (javax.management.ListenerNotFoundException gone) {
                    // Nobody listens any more, which is what was wanted.
                }
            }
            emitters.clear();
        }

        private void take(Notification notification) {
            if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                var collection = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
                long start =
                        TimeUnit.MILLISECONDS.toNanos(collection.getGcInfo().getStartTime());
                take(javaStartNanos + start, collection.getGcInfo().getDuration());
            }
        }

        /** Counts a pause that began at this instant of the monotonic clock. */
        synchronized void take(long startNanos, long millis) {
            if (clock.measures(startNanos)) {
                count++;
                totalMicros += millis * 1000;
                maxMicros = Math.max(maxMicros, millis * 1000);
            }
        }
    }

    /**
     * Another host, asked over HTTP by way of Prometheus' node exporter on it. Proxies are not asked, and redirects not followed. Used
     * by one thread at a time.
     */
    static final class NodeExporter implements OtherHost {
        private static final Duration PATIENCE = Duration.ofSeconds(2);
        private static final int OK = 200;

        private final HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(PATIENCE)
                .build();

        private final MetricsUrl url;
        private final HttpRequest request;

        NodeExporter(MetricsUrl url) {
            this.url = url;
            HttpRequest.Builder asked = HttpRequest.newBuilder(URI.create(url.address()))
                    .header("Accept", "text/plain;version=0.0.4")
                    .timeout(PATIENCE);
            url.credentials()
                    .ifPresent(credentials -> asked.header(
                            "Authorization",
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString(credentials.getBytes(StandardCharsets.UTF_8))));
            this.request = asked.build();
        }

        @Override
        public String name() {
            return url.host();
        }

        @Override
        public HostReading read() throws IOException {
            HttpResponse<String> response = answer();
            if (response.statusCode() != OK) {
                throw new IOException("it answered with HTTP status " + response.statusCode());
            }
            try {
                return NodeMetrics.reading(PrometheusText.read(response.body()), System.nanoTime());
            } catch (IllegalArgumentException notUnderstood) {
                throw new IOException(
                        "what it answered is not understood: " + notUnderstood.getMessage(), notUnderstood);
            }
        }

        /** The time of a request ends with its headers; that of the whole answer is bounded here. */
        private HttpResponse<String> answer() throws IOException {
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, info -> new LimitedText());
            try {
                return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                boolean unused = answer.cancel(true);
                throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", late);
            } catch (ExecutionException failed) {
                throw new IOException(words(failed), failed);
            } catch (InterruptedException hurried) {
                boolean unused = answer.cancel(true);
                Thread.currentThread().interrupt();
                throw new IOException("nobody waited for the answer", hurried);
            }
        }

        /** Those of the client's exceptions that have no message have a telling name. */
        private static String words(ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            String message = cause.getMessage();
            return cause instanceof ConnectException
                    ? "no connection"
                    : message == null ? cause.getClass().getSimpleName() : message;
        }

        /** The body of an answer as text, up to a size that none has that is meant for us. */
        private static final class LimitedText implements BodySubscriber<String> {
            private static final int MOST_BYTES = 16 << 20;

            private static final Flow.Subscription NOTHING = new Flow.Subscription() {
                @Override
                public void request(long items) {}

                @Override
                public void cancel() {}
            };

            private final CompletableFuture<String> text = new CompletableFuture<>();
            private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            private Flow.Subscription subscription = NOTHING;

            @Override
            public CompletionStage<String> getBody() {
                return text;
            }

            @Override
            public void onSubscribe(Flow.Subscription toBody) {
                subscription = toBody;
                toBody.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(List<ByteBuffer> parts) {
                for (ByteBuffer part : parts) {
                    if (bytes.size() + part.remaining() > MOST_BYTES) {
                        subscription.cancel();
                        text.completeExceptionally(
                                new IOException("the answer is longer than " + (MOST_BYTES >> 20) + " MiB"));
                        return;
                    }
                    byte[] content = new byte[part.remaining()];
                    part.get(content);
                    bytes.write(content, 0, content.length);
                }
            }

            @Override
            public void onError(Throwable failure) {
                text.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
                text.complete(bytes.toString(StandardCharsets.UTF_8));
            }
        }
    }
}
