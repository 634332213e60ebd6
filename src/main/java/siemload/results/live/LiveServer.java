package siemload.results.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunListener;
import siemload.results.TimeMetric;
import siemload.results.report.ChartPage;
import siemload.results.report.Spectrum;

/**
 * Shows a run while it goes on: {@code /} is a page with its charts, {@code /events} what is new each second as
 * server-sent events, {@code /metrics} the totals for Prometheus. It listens to what the run writes. Thread-safe.
 */
public final class LiveServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LiveServer.class.getName());
    private static final int MOST_PAGES = 16;

    /** Beyond these, clients are left to try again after seconds, honest ones among them. */
    private static final int MOST_UNACCEPTED = 1_024;

    /** With the second between two looks at who is slow, no client is waited for longer than ten. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final long HEARTBEAT_SECONDS = 10;
    private static final String NOT_BY_THIS_NAME =
            "the live view does not answer by this name (it does as localhost, and by the name or address of -DliveAddress)\n";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final RunFollower follower;
    private final RunTotals totals;
    private final RecentSeconds seconds;
    private final byte[] page;
    private final Semaphore pages = new Semaphore(MOST_PAGES);
    private final ScheduledExecutorService timer =
            Executors.newScheduledThreadPool(2, LiveWorkers.named("siemload-follow-"));
    private final LiveWorkers workers;
    private final AllowedHosts hosts;

    private LiveServer(HttpServer server, InetSocketAddress address, RunDescription run, Duration patience)
            throws IOException {
        this.server = server;
        this.workers = new LiveWorkers(timer, patience);
        this.hosts = AllowedHosts.of(address);
        this.totals = new RunTotals(run.labels());
        this.follower = new RunFollower(totals);
        this.seconds = new RecentSeconds(follower.totals());
        this.page = LivePage.of(run).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Starts to serve.
     *
     * @param address where; port 0 for any free one
     * @throws IOException if the address cannot be had
     */
    public static LiveServer start(InetSocketAddress address, RunDescription run) throws IOException {
        return start(address, run, PATIENCE);
    }

    /** Starts to serve with another patience than usual. */
    static LiveServer start(InetSocketAddress address, RunDescription run, Duration patience) throws IOException {
        LiveServer live = new LiveServer(HttpServer.create(address, MOST_UNACCEPTED), address, run, patience);
        live.server.setExecutor(live.workers);
        live.server.createContext("/", live::answer);
        live.server.start();
        ScheduledFuture<?> unused = live.timer.scheduleAtFixedRate(live::follow, 1, 1, TimeUnit.SECONDS);
        return live;
    }

    /** Where it can be reached. */
    public String url() {
        String host = server.getAddress().getAddress().isAnyLocalAddress()
                ? "localhost"
                : server.getAddress().getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + server.getAddress().getPort() + "/";
    }

    /** Hears what the run writes. */
    public RunListener listener() {
        return follower;
    }

    private synchronized void follow() {
        seconds.add(follower.newSeconds(), follower.totals());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            workers.goOn();
            harden(exchange.getResponseHeaders());
            if (!hosts.contains(
                    Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), ""))) {
                send(exchange, 403, TEXT, NOT_BY_THIS_NAME.getBytes(StandardCharsets.UTF_8));
                return;
            }
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, TEXT, "only GET is answered here\n".getBytes(StandardCharsets.UTF_8));
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/" -> send(exchange, 200, "text/html; charset=utf-8", page);
                case "/events" -> sendEvents(exchange);
                case "/metrics" ->
                    send(
                            exchange,
                            200,
                            "text/plain; version=0.0.4; charset=utf-8",
                            totals.text().getBytes(StandardCharsets.UTF_8));
                default ->
                    send(exchange, 404, TEXT, "there are /, /events and /metrics\n".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** What browsers are told with every answer; the page says itself which scripts it runs. */
    private static void harden(Headers headers) {
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", "frame-ancestors 'none'");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Referrer-Policy", "no-referrer");
    }

    private void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        workers.waitForClient();
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        workers.goOn();
    }

    private void sendEvents(HttpExchange exchange) throws IOException {
        if (!pages.tryAcquire()) {
            send(exchange, 503, TEXT, ("at most " + MOST_PAGES + " pages at once\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            sendToItsEnd(exchange.getResponseBody());
        } finally {
            pages.release();
        }
    }

    /** Closed before it counts as over: who stops the server must not cut the last chunk off. */
    private void sendToItsEnd(OutputStream events) throws IOException {
        try (events) {
            sendEvents(events);
            workers.waitForClient();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends with the run; a page that was closed is noticed by the next write. */
    private void sendEvents(OutputStream body) throws IOException, InterruptedException {
        long change = 0;
        for (boolean over = false; !over; ) {
            RecentSeconds.News news = seconds.since(change, HEARTBEAT_SECONDS);
            change = news.change();
            over = news.over();
            StringBuilder text = new StringBuilder();
            for (ObjectNode second : news.json()) {
                text.append("event: second\ndata: ").append(second).append("\n\n");
            }
            news.totals()
                    .ifPresent(totals ->
                            text.append("event: totals\ndata: ").append(totals).append("\n\n"));
            if (over) {
                text.append("event: end\ndata: {}\n\n");
            }
            if (text.isEmpty()) {
                text.append(": still here\n\n");
            }
            workers.waitForClient();
            body.write(text.toString().getBytes(StandardCharsets.UTF_8));
            body.flush();
            workers.goOn();
        }
    }

    /** Tells open pages that the run has ended, and stops. */
    @Override
    public void close() {
        timer.shutdownNow();
        follow();
        seconds.end();
        awaitPages();
        server.stop(0);
        workers.close();
    }

    /** Open pages get the last seconds; the server itself would wait for its whole delay also where there is none. */
    private void awaitPages() {
        try {
            if (!pages.tryAcquire(MOST_PAGES, 1, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "a page did not take the end of the run");
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Hears what is written of a run second by second. What is new is handed out as JSON for the page, and added to the totals for
     * Prometheus. What it holds does not grow with the length of the run. Thread-safe.
     */
    static final class RunFollower implements RunListener {
        private static final List<String> SECOND = List.of("second");
        private static final List<String> SECOND_AND_DEVICE = List.of("second", "device");
        private static final List<String> SECOND_AND_CATEGORY = List.of("second", "category");

        private final SearchTotals searches = new SearchTotals();
        private final RunTotals totals;
        private final SortedMap<Long, SortedMap<String, Histogram>> latencies = new TreeMap<>();
        private SortedMap<Long, ObjectNode> seconds = new TreeMap<>();

        RunFollower(RunTotals totals) {
            this.totals = totals;
        }

        @Override
        public synchronized void row(RunFile table, Map<String, String> row) {
            switch (table) {
                case TIMELINE -> {
                    totals.load(row);
                    second(row).set("load", cells(row, SECOND));
                }
                case HOST -> {
                    totals.host(row);
                    second(row).set("host", cells(row, SECOND));
                }
                case DISKS -> part(second(row), "disks").set(row.get("device"), cells(row, SECOND_AND_DEVICE));
                case DATABASE_IO -> {
                    totals.io(row);
                    part(second(row), "io").set(row.get("category"), cells(row, SECOND_AND_CATEGORY));
                }
                default -> {
                    // The page shows nothing of it.
                }
            }
        }

        @Override
        public synchronized void interval(TimeMetric metric, LoggedInterval interval) {
            if (metric == TimeMetric.RESPONSE_TIME) {
                response(interval);
            } else {
                searches.part(metric, interval.times());
            }
        }

        /** By search, whatever page and order, since a page has no room for more lines. */
        private void response(LoggedInterval interval) {
            totals.responses(interval.times());
            searches.response(interval.times());
            SortedMap<String, Histogram> second =
                    latencies.computeIfAbsent(Math.round(interval.endSecond()), unused -> new TreeMap<>());
            for (String name : List.of(interval.search(), "all")) {
                second.computeIfAbsent(name, unused -> new Histogram(3)).add(interval.times());
            }
        }

        /** What the searches have come to so far, as the page takes it. */
        synchronized ObjectNode totals() {
            return searches.toJson();
        }

        /** What came since the last call: seconds by number, each with what is known of it. */
        synchronized SortedMap<Long, ObjectNode> newSeconds() {
            latencies.forEach((second, searches) -> searches.forEach((name, all) -> part(second(second), "latency")
                    .putObject(name)
                    .put("p50", all.getValueAtPercentile(50))
                    .put("p95", all.getValueAtPercentile(95))
                    .put("max", all.getMaxValue())));
            latencies.clear();
            SortedMap<Long, ObjectNode> news = seconds;
            seconds = new TreeMap<>();
            return news;
        }

        private ObjectNode second(Map<String, String> row) {
            return second(Math.round(Double.parseDouble(row.getOrDefault("second", "0"))));
        }

        private ObjectNode second(long second) {
            return seconds.computeIfAbsent(
                    second, unused -> JsonNodeFactory.instance.objectNode().put("second", second));
        }

        private static ObjectNode part(ObjectNode second, String name) {
            return second.withObject("/" + name);
        }

        /** Numbers as numbers, everything else as text. */
        private static ObjectNode cells(Map<String, String> row, List<String> without) {
            ObjectNode cells = JsonNodeFactory.instance.objectNode();
            row.forEach((column, cell) -> {
                if (!without.contains(column)) {
                    try {
                        cells.put(column, Double.parseDouble(cell));
                    } catch (NumberFormatException word) {
                        cells.put(column, cell);
                    }
                }
            });
            return cells;
        }

        /**
         * What the measured searches have come to so far: their distribution, and where their time went. Its size does not grow
         * with the length of the run. Used by one thread at a time.
         */
        private static final class SearchTotals {
            private final Map<String, Histogram> responses = new TreeMap<>();
            private final Map<String, Parts> parts = new TreeMap<>();

            /** A mean that goes on. */
            private static final class Mean {
                private double sum;
                private long count;

                void add(Histogram times) {
                    sum += times.getMean() * times.getTotalCount();
                    count += times.getTotalCount();
                }

                double value() {
                    return count == 0 ? 0 : Math.round(10 * sum / count) / 10.0;
                }
            }

            /** The parts of the response times of one search, 0 as long as nothing is known of them. */
            private static final class Parts {
                private final Mean lateness = new Mean();
                private final Mean workerWait = new Mean();
                private final Mean firstEvent = new Mean();
                private final Mean lastEvent = new Mean();
            }

            /** Adds response times of one search by page and order. */
            void response(Histogram times) {
                String tag = times.getTag();
                for (String name : new String[] {tag.substring(0, tag.indexOf('-')), "all"}) {
                    responses.computeIfAbsent(name, unused -> new Histogram(3)).add(times);
                }
            }

            /** Adds times of a part of such searches; other times are none of their parts. */
            void part(TimeMetric metric, Histogram times) {
                switch (metric) {
                    case SEARCH_LATENESS -> partsOf(times).lateness.add(times);
                    case WORKER_WAIT -> partsOf(times).workerWait.add(times);
                    case FIRST_EVENT -> partsOf(times).firstEvent.add(times);
                    case SERVICE_TIME -> partsOf(times).lastEvent.add(times);
                    default -> {
                        // The page shows nothing of it.
                    }
                }
            }

            private Parts partsOf(Histogram times) {
                return parts.computeIfAbsent(times.getTag(), unused -> new Parts());
            }

            /** As the charts take it: each search with all parts, 0 for one of which nothing is known yet. */
            ObjectNode toJson() {
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                ObjectNode spectra = json.putObject("spectra").putObject("response");
                responses.forEach((name, times) -> spectra.set(name, Spectrum.of(times)));
                var searches = json.putArray("searches");
                parts.forEach((tag, means) -> {
                    String[] names = tag.split("-", 3);
                    ObjectNode search = searches.addObject()
                            .put("name", names[0])
                            .put("page", names[1])
                            .put("order", names[2]);
                    search.putObject("firstEventMicros").put("mean", means.firstEvent.value());
                    search.putObject("lastEventMicros").put("mean", means.lastEvent.value());
                    search.putObject("workerWaitMicros").put("mean", means.workerWait.value());
                    search.putObject("latenessMicros").put("mean", means.lateness.value());
                });
                return json;
            }
        }
    }

    /** The last minutes of a run, for pages that were opened late or wait for what comes next. Thread-safe. */
    private static final class RecentSeconds {
        /** As many points as a chart shows; older ones are dropped. */
        static final int MOST = 600;

        private final Map<Long, Entry> seconds = new LinkedHashMap<>();
        private Entry totals;
        private long changes;
        private boolean over;

        /** A second or the totals as they are known now, and the number of the change that made them so. */
        private record Entry(long change, ObjectNode json) {}

        /**
         * @param totals as pages know them from the start
         */
        RecentSeconds(ObjectNode totals) {
            this.totals = new Entry(0, totals);
        }

        /**
         * What changed after a change.
         *
         * @param change the number of the last change
         * @param json the seconds that changed, oldest first
         * @param totals what the searches have come to, if that changed
         * @param over whether nothing will follow
         */
        record News(long change, List<ObjectNode> json, Optional<ObjectNode> totals, boolean over) {}

        /**
         * Adds what has become known; it may be more about a second that is known already. The totals may change without a
         * second. They are not changed afterwards.
         */
        synchronized void add(SortedMap<Long, ObjectNode> news, ObjectNode newTotals) {
            if (!totals.json().equals(newTotals)) {
                changes++;
                totals = new Entry(changes, newTotals);
            }
            news.forEach((second, json) -> {
                Entry known = seconds.remove(second);
                changes++;
                seconds.put(second, new Entry(changes, known == null ? json : merged(known.json(), json)));
            });
            while (seconds.size() > MOST) {
                seconds.remove(seconds.keySet().iterator().next());
            }
            notifyAll();
        }

        /** A new object: others may be reading the known one. */
        private static ObjectNode merged(ObjectNode known, ObjectNode more) {
            ObjectNode both = known.deepCopy();
            more.properties().forEach(part -> {
                if (part.getValue().isObject() && both.path(part.getKey()).isObject()) {
                    both.set(part.getKey(), merged((ObjectNode) both.get(part.getKey()), (ObjectNode) part.getValue()));
                } else {
                    both.set(part.getKey(), part.getValue());
                }
            });
            return both;
        }

        /** Notes that the run has ended. */
        synchronized void end() {
            over = true;
            notifyAll();
        }

        /** What changed after this change, 0 for everything; waits for it until the time is up. */
        synchronized News since(long change, long seconds) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            for (long left = deadline - System.nanoTime(); changes <= change && !over && left > 0; ) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = deadline - System.nanoTime();
            }
            List<ObjectNode> news = this.seconds.values().stream()
                    .filter(entry -> entry.change() > change)
                    .map(Entry::json)
                    .toList();
            return new News(
                    changes,
                    news,
                    Optional.of(totals).filter(entry -> entry.change() > change).map(Entry::json),
                    over);
        }
    }

    /**
     * The few threads that answer, none of which waits long for a client: one that neither sends its request nor takes its answer
     * is cut off, since an interrupt closes the channel that a thread waits for. Where all are busy, a request is refused at once,
     * and its connection closed. Thread-safe.
     */
    private static final class LiveWorkers implements Executor, AutoCloseable {
        /** With the threads that accept, follow the run and watch these, no more than 32. */
        private static final int MOST_THREADS = 26;

        private static final long IDLE_SECONDS = 10;

        private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
                0, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), named("siemload-live-"));
        private final Map<Thread, Long> waitingSince = new ConcurrentHashMap<>();
        private final long patienceNanos;

        /**
         * @param timer looks once a second for who has waited too long
         * @param patience how long a client may take to send its request, and again to take its answer
         */
        LiveWorkers(ScheduledExecutorService timer, Duration patience) {
            this.patienceNanos = patience.toNanos();
            ScheduledFuture<?> unused = timer.scheduleAtFixedRate(this::cutOffSlow, 1, 1, TimeUnit.SECONDS);
        }

        /** Takes a request, from its first byte on. */
        @Override
        public void execute(Runnable exchange) {
            threads.execute(() -> {
                waitForClient();
                try {
                    exchange.run();
                } finally {
                    goOn();
                }
            });
        }

        /** From now on this thread waits for its client. */
        void waitForClient() {
            waitingSince.put(Thread.currentThread(), System.nanoTime());
        }

        /** This thread has what it waited for. */
        void goOn() {
            waitingSince.remove(Thread.currentThread());
        }

        private void cutOffSlow() {
            long now = System.nanoTime();
            waitingSince.forEach((thread, since) -> {
                if (now - since > patienceNanos && waitingSince.remove(thread, since)) {
                    thread.interrupt();
                }
            });
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }

        static ThreadFactory named(String name) {
            AtomicInteger number = new AtomicInteger();
            return task -> {
                Thread thread = new Thread(task, name + number.getAndIncrement());
                thread.setDaemon(true);
                return thread;
            };
        }
    }

    /**
     * The names by which the live view is called. A page of somebody else's may have its own name lead here, and would then read
     * what this one shows; but the browser says by which name it came. Immutable.
     *
     * @param names in lower case, without ports; addresses of IPv6 in brackets
     */
    private record AllowedHosts(Set<String> names) {

        AllowedHosts {
            names = Set.copyOf(names);
        }

        /** This machine's own names, as far as a server at this address is reached by them. */
        static AllowedHosts of(InetSocketAddress bound) throws SocketException {
            Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
            names.add(bound.getHostString().toLowerCase(Locale.ROOT));
            names.add(literal(bound.getAddress()));
            if (bound.getAddress().isAnyLocalAddress()) {
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .forEach(address -> names.add(literal(address)));
                names.addAll(namesOfThisMachine());
            }
            return new AllowedHosts(names);
        }

        private static Set<String> namesOfThisMachine() {
            try {
                InetAddress own = InetAddress.getLocalHost();
                return Set.of(own.getHostName().toLowerCase(Locale.ROOT));
            } catch (UnknownHostException nameless) {
                return Set.of();
            }
        }

        private static String literal(InetAddress address) {
            String text = address.getHostAddress().replaceFirst("%.*", "");
            return address instanceof Inet6Address ? "[" + text.replaceFirst("^0:0:0:0:0:0:0:1$", "::1") + "]" : text;
        }

        /** @param host a request's header, perhaps with a port; empty where there is none */
        boolean contains(String host) {
            return names.contains(host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", ""));
        }
    }

    /** The page that follows a run, with the charts and the looks of the report. Stateless and thread-safe. */
    private static final class LivePage {
        private LivePage() {}

        static String of(RunDescription run) throws IOException {
            return new ChartPage("siemload live")
                    .style("/siemload/results/live/live.css")
                    .elements()
                    .script("/siemload/results/live/live.js")
                    .asksItsHost()
                    .with("/siemload/results/live/live.html", Map.of("title", run.runId(), "sentence", run.sentence()));
        }
    }
}
