package siemload.results.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import siemload.results.HostActivity.HostFigures;
import siemload.results.LoggedInterval;
import siemload.results.RunFile;
import siemload.results.RunWriter.RunListener;
import siemload.results.TimeMetric;
import siemload.results.report.ChartPage;

/**
 * Shows a run while it goes on: {@code /} is a page with its charts, which asks {@code /seconds} once a second for what is new, and
 * {@code /metrics} has the totals for Prometheus. It listens to what the run writes. Thread-safe.
 */
public final class LiveServer implements AutoCloseable {
    /** Beyond these, clients are left to try again after seconds, honest ones among them. */
    private static final int MOST_UNACCEPTED = 1_024;

    /** Where all are busy, a request is refused at once: slow clients may keep others from looking, and the run from nothing. */
    private static final int MOST_THREADS = 28;

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]");
    private static final String NOT_BY_THIS_NAME =
            "the live view does not answer by this name (it does as localhost, and by the name or address of"
                    + " -DliveAddress)\n";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final RunTotals totals;
    private final RunFollower follower;
    private final byte[] page;
    private final Set<String> names;
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), LiveServer::daemon);

    private LiveServer(HttpServer server, InetSocketAddress address, RunDescription run) throws IOException {
        this.server = server;
        this.names = names(address);
        this.totals = new RunTotals(run.labels());
        this.follower = new RunFollower(totals);
        this.page = new ChartPage("siemload live")
                .script("/siemload/results/live/live.js")
                .asksItsHost()
                .data(Map.of("title", run.runId(), "sentence", run.sentence()))
                .html("/metrics says")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Starts to serve.
     *
     * @param address where; port 0 for any free one
     * @throws IOException if the address cannot be had
     */
    public static LiveServer start(InetSocketAddress address, RunDescription run) throws IOException {
        LiveServer live = new LiveServer(HttpServer.create(address, MOST_UNACCEPTED), address, run);
        live.server.setExecutor(live.threads);
        live.server.createContext("/", live::answer);
        live.server.start();
        return live;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "siemload-live");
        thread.setDaemon(true);
        return thread;
    }

    /** Where it can be reached. */
    public String url() {
        String host = server.getAddress().getAddress().isAnyLocalAddress()
                ? "localhost"
                : server.getAddress().getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + server.getAddress().getPort() + "/";
    }

    /**
     * What is known of a run from its start. Immutable.
     *
     * @param runId the name of its directory
     * @param sentence what is run, for people
     * @param labels the same for Prometheus, by its names: {@code scenario}, {@code target}, ...
     */
    public record RunDescription(String runId, String sentence, Map<String, String> labels) {
        public RunDescription {
            labels = Map.copyOf(labels);
        }
    }

    /** Hears what the run writes. */
    public RunListener listener() {
        return follower;
    }

    // ---- answers

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            harden(exchange.getResponseHeaders());
            String host =
                    Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), "");
            if (!isOwn(host)) {
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
        ObjectNode news = follower.since(query.matches("after=\\d{1,18}") ? Long.parseLong(query.substring(6)) : 0);
        send(exchange, 200, "application/json", news.toString());
    }

    private void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /**
     * Whether a browser came by a name of this machine, or by an address. A page of somebody else's may have its own name lead here, and would
     * then read what this one shows; but the browser says by which name it came.
     */
    private boolean isOwn(String host) {
        String name = host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return names.contains(name) || ADDRESS.matcher(name).matches();
    }

    private static Set<String> names(InetSocketAddress bound) {
        Set<String> names =
                new TreeSet<>(List.of("localhost", bound.getHostString().toLowerCase(Locale.ROOT)));
        try {
            if (bound.getAddress().isAnyLocalAddress()) {
                names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
            }
        } catch (UnknownHostException nameless) {
            return names;
        }
        return names;
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

        private final RunTotals totals;
        private final SortedMap<Long, Second> seconds = new TreeMap<>();
        private final SortedMap<Long, SortedMap<String, Histogram>> latencies = new TreeMap<>();

        private long changes;

        /** What is known of a second, and when that changed last. */
        private static final class Second {
            private final ObjectNode json = JsonNodeFactory.instance.objectNode();
            private long change;
        }

        RunFollower(RunTotals totals) {
            this.totals = totals;
        }

        @Override
        public synchronized void row(RunFile table, Map<String, String> row) {
            if (!row.getOrDefault("host", HostFigures.THIS_HOST).equals(HostFigures.THIS_HOST)) {
                return;
            }
            switch (table) {
                case TIMELINE -> {
                    totals.load(row);
                    second(row).set("load", cells(row));
                }
                case HOST -> second(row).set("host", cells(row, "host"));
                case DISKS -> part(second(row), "disks").set(row.get("device"), cells(row, "host", "device"));
                case DATABASE_IO -> part(second(row), "io").set(row.get("category"), cells(row, "category"));
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

        /** The seconds that have changed after a change, oldest first. */
        synchronized ObjectNode since(long change) {
            ObjectNode news = JsonNodeFactory.instance.objectNode().put("change", changes);
            ArrayNode changed = news.putArray("seconds");
            seconds.values().stream()
                    .filter(second -> second.change > change)
                    .forEach(second -> changed.add(second.json.deepCopy()));
            return news;
        }
    }
}
