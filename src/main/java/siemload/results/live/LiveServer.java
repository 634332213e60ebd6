package siemload.results.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import siemload.results.HostActivity.HostFigures;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunListener;
import siemload.results.TimeMetric;
import siemload.results.report.ChartPage;
import siemload.results.report.Spectrum;

/**
 * Shows a run while it goes on: {@code /} is a page with its charts, which asks {@code /seconds} once a second for what is new, and
 * {@code /metrics} has the totals for Prometheus. It listens to what the run writes. Thread-safe.
 */
public final class LiveServer implements AutoCloseable {
    /** Beyond these, clients are left to try again after seconds, honest ones among them. */
    private static final int MOST_UNACCEPTED = 1_024;

    /** With those that accept and look who is slow, no more than 32. Where all are busy, a request is refused at once. */
    private static final int MOST_THREADS = 28;

    /** With the second between two looks at who is slow, no client is waited for longer than ten. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(2);
    private static final String NOT_BY_THIS_NAME =
            "the live view does not answer by this name (it does as localhost, and by the name or address of"
                    + " -DliveAddress)\n";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final RunTotals totals;
    private final RunFollower follower;
    private final byte[] page;
    private final Set<String> hosts;
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), named("siemload-live-"));
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1, named("siemload-follow-"));
    private final Map<Thread, Long> waitingSince = new ConcurrentHashMap<>();
    private final CountDownLatch endTold = new CountDownLatch(1);
    private volatile long lastAsked = System.nanoTime() - BETWEEN_QUESTIONS.toNanos();

    private LiveServer(HttpServer server, InetSocketAddress address, RunDescription run) throws IOException {
        this.server = server;
        this.hosts = names(address);
        this.totals = new RunTotals(run.labels());
        this.follower = new RunFollower(totals);
        this.page = new ChartPage("siemload live")
                .style("/siemload/results/live/live.css")
                .elements()
                .script("/siemload/results/live/live.js")
                .asksItsHost()
                .with("/siemload/results/live/live.html", Map.of("title", run.runId(), "sentence", run.sentence()))
                .getBytes(StandardCharsets.UTF_8);
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

    /** Starts to serve with another patience than usual: how long a client may take to send its request, and to take its answer. */
    static LiveServer start(InetSocketAddress address, RunDescription run, Duration patience) throws IOException {
        LiveServer live = new LiveServer(HttpServer.create(address, MOST_UNACCEPTED), address, run);
        live.server.setExecutor(exchange -> live.threads.execute(() -> live.waitingForClient(exchange)));
        live.server.createContext("/", live::answer);
        ScheduledFuture<?> unused =
                live.timer.scheduleAtFixedRate(() -> live.cutOffSlow(patience), 1, 1, TimeUnit.SECONDS);
        live.server.start();
        return live;
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
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

    // ---- answers

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            waitingSince.remove(Thread.currentThread());
            harden(exchange.getResponseHeaders());
            String host =
                    Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), "");
            if (!hosts.contains(host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", ""))) {
                send(exchange, 403, TEXT, NOT_BY_THIS_NAME);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, TEXT, "only GET is answered here\n");
            } else {
                switch (exchange.getRequestURI().getPath()) {
                    case "/" -> send(exchange, 200, "text/html; charset=utf-8", page);
                    case "/seconds" -> sendSeconds(exchange);
                    case "/metrics" -> send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", totals.text());
                    default -> send(exchange, 404, TEXT, "there are /, /seconds and /metrics\n");
                }
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

    private void sendSeconds(HttpExchange exchange) throws IOException {
        String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
        lastAsked = System.nanoTime();
        ObjectNode news = follower.since(query.matches("after=\\d{1,18}") ? Long.parseLong(query.substring(6)) : 0);
        send(exchange, 200, "application/json", news.toString());
        if (news.path("over").asBoolean()) {
            endTold.countDown();
        }
    }

    private void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        waitingSince.put(Thread.currentThread(), System.nanoTime());
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    // ---- slow clients

    /** Takes a request, from its first byte on. */
    private void waitingForClient(Runnable exchange) {
        waitingSince.put(Thread.currentThread(), System.nanoTime());
        try {
            exchange.run();
        } finally {
            waitingSince.remove(Thread.currentThread());
        }
    }

    /** An interrupt closes the channel that a thread waits for. */
    private void cutOffSlow(Duration patience) {
        waitingSince.forEach((thread, since) -> {
            if (System.nanoTime() - since > patience.toNanos() && waitingSince.remove(thread, since)) {
                thread.interrupt();
            }
        });
    }

    /** Tells a page that is open that the run has ended, and stops. */
    @Override
    public void close() {
        follower.end();
        try {
            if (System.nanoTime() - lastAsked < BETWEEN_QUESTIONS.toNanos()
                    && !endTold.await(BETWEEN_QUESTIONS.toMillis(), TimeUnit.MILLISECONDS)) {
                lastAsked = System.nanoTime() - BETWEEN_QUESTIONS.toNanos(); // The page was closed meanwhile.
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        timer.shutdownNow();
        server.stop(0);
        threads.shutdownNow();
    }

    // ---- names

    /**
     * This machine's own names, as far as a server at this address is reached by them: in lower case, without ports; addresses of IPv6
     * in brackets. A page of somebody else's may have its own name lead here, and would then read what this one shows; but the browser
     * says by which name it came.
     */
    private static Set<String> names(InetSocketAddress bound) throws SocketException {
        Set<String> names = new TreeSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
        names.add(bound.getHostString().toLowerCase(Locale.ROOT));
        names.add(literal(bound.getAddress()));
        if (bound.getAddress().isAnyLocalAddress()) {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> names.add(literal(address)));
            try {
                names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
            } catch (UnknownHostException nameless) {
                return names;
            }
        }
        return names;
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress().replaceFirst("%.*", "");
        return address instanceof Inet6Address ? "[" + text.replaceFirst("^0:0:0:0:0:0:0:1$", "::1") + "]" : text;
    }

    // ---- what the run writes

    /**
     * Hears what is written of a run second by second: the last minutes for the page, and totals for Prometheus. What it holds does not
     * grow with the length of the run. Thread-safe.
     */
    static final class RunFollower implements RunListener {
        /** As many points as a chart shows; older ones are dropped. */
        private static final int MOST_SECONDS = 600;

        /** Injectors tell of a second when the machine has told of later ones. */
        private static final int MOST_SECONDS_LATE = 30;

        private static final Map<TimeMetric, String> PARTS = Map.of(
                TimeMetric.SEARCH_LATENESS, "latenessMicros",
                TimeMetric.WORKER_WAIT, "workerWaitMicros",
                TimeMetric.FIRST_EVENT, "firstEventMicros",
                TimeMetric.SERVICE_TIME, "lastEventMicros");

        private final RunTotals totals;
        private final SortedMap<Long, Second> seconds = new TreeMap<>();
        private final SortedMap<Long, SortedMap<String, Histogram>> latencies = new TreeMap<>();
        private final SortedMap<String, Histogram> responses = new TreeMap<>();
        /** Of each kind of search, the mean of each part of its response times. */
        private final SortedMap<String, Map<String, Mean>> parts = new TreeMap<>();

        private long changes;
        private boolean over;

        /** What is known of a second, and when that changed last. */
        private static final class Second {
            private final ObjectNode json = JsonNodeFactory.instance.objectNode();
            private long change;
        }

        private record Mean(double sum, long count) {
            Mean plus(Mean other) {
                return new Mean(sum + other.sum, count + other.count);
            }

            double value() {
                return count == 0 ? 0 : Math.round(10 * sum / count) / 10.0;
            }
        }

        RunFollower(RunTotals totals) {
            this.totals = totals;
        }

        @Override
        public synchronized void row(RunFile table, Map<String, String> row) {
            switch (table) {
                case TIMELINE -> {
                    totals.load(row);
                    second(row).set("load", cells(row));
                }
                case HOST -> {
                    if (isOwn(row)) {
                        totals.host(row);
                        second(row).set("host", cells(row, "host"));
                    }
                }
                case DISKS -> {
                    if (isOwn(row)) {
                        part(second(row), "disks").set(row.get("device"), cells(row, "host", "device"));
                    }
                }
                case DATABASE_IO -> {
                    totals.io(row);
                    part(second(row), "io").set(row.get("category"), cells(row, "category"));
                }
                default -> {
                    // The page shows nothing of it.
                }
            }
        }

        @Override
        public synchronized void interval(TimeMetric metric, LoggedInterval interval) {
            Histogram times = interval.times();
            if (metric == TimeMetric.RESPONSE_TIME) {
                totals.responses(times);
                long number = Math.round(interval.endSecond());
                ObjectNode latency = part(second(number), "latency");
                // By search, whatever page and order, since a page has no room for more lines.
                for (String name : List.of(interval.search(), "all")) {
                    responses.computeIfAbsent(name, unused -> new Histogram(3)).add(times);
                    Histogram all = latencies
                            .computeIfAbsent(number, unused -> new TreeMap<>())
                            .computeIfAbsent(name, unused -> new Histogram(3));
                    all.add(times);
                    latency.putObject(name)
                            .put("p50", all.getValueAtPercentile(50))
                            .put("p95", all.getValueAtPercentile(95))
                            .put("max", all.getMaxValue());
                }
                latencies.headMap(latencies.lastKey() - MOST_SECONDS_LATE).clear();
            } else if (PARTS.containsKey(metric)) {
                changes++;
                parts.computeIfAbsent(interval.tag(), unused -> new TreeMap<>())
                        .merge(
                                PARTS.getOrDefault(metric, ""),
                                new Mean(times.getMean() * times.getTotalCount(), times.getTotalCount()),
                                Mean::plus);
            }
        }

        private ObjectNode second(Map<String, String> row) {
            return second(Math.round(Double.parseDouble(row.getOrDefault("second", "0"))));
        }

        private ObjectNode second(long number) {
            Second second = seconds.computeIfAbsent(number, unused -> new Second());
            second.change = ++changes;
            if (seconds.size() > MOST_SECONDS) {
                seconds.remove(seconds.firstKey());
            }
            return second.json.put("second", number);
        }

        private static ObjectNode part(ObjectNode second, String name) {
            return second.withObject("/" + name);
        }

        private static boolean isOwn(Map<String, String> row) {
            return HostFigures.THIS_HOST.equals(row.get("host"));
        }

        /** Numbers as numbers, everything else as text; without the second, and these columns. */
        private static ObjectNode cells(Map<String, String> row, String... without) {
            ObjectNode cells = JsonNodeFactory.instance.objectNode();
            row.forEach((column, cell) -> {
                if (!column.equals("second") && !List.of(without).contains(column)) {
                    try {
                        cells.put(column, Double.parseDouble(cell));
                    } catch (NumberFormatException word) {
                        cells.put(column, cell);
                    }
                }
            });
            return cells;
        }

        /** Notes that the run has ended. */
        synchronized void end() {
            over = true;
        }

        /** The seconds that have changed after a change, oldest first, and what the searches have come to so far. */
        synchronized ObjectNode since(long change) {
            ObjectNode news =
                    JsonNodeFactory.instance.objectNode().put("change", changes).put("over", over);
            ArrayNode changed = news.putArray("seconds");
            seconds.values().stream()
                    .filter(second -> second.change > change)
                    .forEach(second -> changed.add(second.json.deepCopy()));
            ObjectNode spectra = news.putObject("spectra").putObject("response");
            responses.forEach((name, times) -> spectra.set(name, Spectrum.of(times)));
            ArrayNode searches = news.putArray("searches");
            parts.forEach((tag, means) -> {
                String[] names = tag.split("-", 3);
                ObjectNode search = searches.addObject()
                        .put("name", names[0])
                        .put("page", names[1])
                        .put("order", names[2]);
                PARTS.values()
                        .forEach(part -> search.putObject(part)
                                .put(
                                        "mean",
                                        means.getOrDefault(part, new Mean(0, 0)).value()));
            });
            return news;
        }
    }
}
