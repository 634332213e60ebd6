package siemload.results.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import siemload.config.DaemonThread;
import siemload.results.HostActivity;
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
    /** What browsers are told with every answer; the page says itself which scripts it runs. */
    private static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff",
            "Content-Security-Policy", "frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer");

    private final HttpServer server;
    private final RunFollower follower;
    private final String page;
    private final Set<String> names;
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThread.named("siemload-live"));

    private LiveServer(InetSocketAddress address, RunDescription run) throws IOException {
        this.names = names(address);
        this.follower = new RunFollower(run.labels());
        this.page = new ChartPage("siemload live")
                .script("/siemload/results/live/live.js")
                .asksItsHost()
                .data(Map.of("title", run.runId(), "sentence", run.sentence()))
                .html("/metrics says");
        this.server = HttpServer.create(address, MOST_UNACCEPTED);
    }

    /**
     * Starts to serve.
     *
     * @param address where; port 0 for any free one
     * @throws IOException if the address cannot be had
     */
    public static LiveServer start(InetSocketAddress address, RunDescription run) throws IOException {
        LiveServer live = new LiveServer(address, run);
        live.server.setExecutor(live.threads);
        live.server.createContext("/", live::answer);
        live.server.start();
        return live;
    }

    /** Where it can be reached. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + "/";
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

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            String query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
            if (!isOwn(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), ""))) {
                send(exchange, 403, TEXT, NOT_BY_THIS_NAME);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, TEXT, "only GET is answered here\n");
            } else {
                switch (exchange.getRequestURI().getPath()) {
                    case "/" -> send(exchange, 200, "text/html; charset=utf-8", page);
                    case "/seconds" -> {
                        long after = query.matches("after=\\d{1,18}") ? Long.parseLong(query.substring(6)) : 0;
                        send(
                                exchange,
                                200,
                                "application/json",
                                follower.since(after).toString());
                    }
                    case "/metrics" ->
                        send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", follower.metrics());
                    default -> send(exchange, 404, TEXT, "there are /, /seconds and /metrics\n");
                }
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
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
            // Then it has no name to be found by.
        }
        return names;
    }

    /**
     * Hears what is written of a run second by second: the last minutes for the page, and totals for Prometheus. What it holds does not
     * grow with the length of the run. Thread-safe.
     */
    static final class RunFollower implements RunListener {
        /** As many points as a chart shows; older ones are dropped. */
        private static final int MOST_SECONDS = 600;

        /** Injectors tell of a second when the machine has told of later ones. */
        private static final int MOST_SECONDS_LATE = 30;

        private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99);
        /** What the page calls the tables that it shows. */
        private static final Map<RunFile, String> PARTS = Map.of(
                RunFile.TIMELINE, "load", RunFile.HOST, "host", RunFile.DISKS, "disks", RunFile.DATABASE_IO, "io");
        /** Columns of the timeline that are added up. */
        private static final List<String> COUNTED = List.of("finished", "failed", "eventsAcknowledged");
        /** What Prometheus calls columns of the timeline, and what they are. */
        private static final Map<String, List<String>> METRICS = new TreeMap<>(Map.of(
                "finished", List.of("searches_total", "Searches that ended, in any phase."),
                "failed", List.of("search_failures_total", "Searches that failed, in any phase."),
                "running", List.of("searches_running", "Searches under way."),
                "eventsAcknowledged", List.of("fed_events_total", "Fed events that the database acknowledged."),
                "eventsBehind", List.of("feeder_backlog_events", "Events that were due and are not acknowledged.")));

        private final Map<String, String> labels;
        /** Each with the number of its last change. */
        private final SortedMap<Long, ObjectNode> seconds = new TreeMap<>();

        private final SortedMap<Long, Map<String, Histogram>> latencies = new TreeMap<>();
        private final SortedMap<String, Histogram> searches = new TreeMap<>();
        private final Map<String, Double> sums = new HashMap<>();
        private Map<String, String> lastLoad = Map.of();
        private long changes;

        /** @param labels what is known of the run, by Prometheus' names */
        RunFollower(Map<String, String> labels) {
            this.labels = labels;
        }

        @Override
        public synchronized void row(RunFile table, Map<String, String> row) {
            String part = PARTS.get(table);
            if (part == null
                    || !row.getOrDefault("host", HostActivity.THIS_HOST).equals(HostActivity.THIS_HOST)) {
                return;
            }
            if (table == RunFile.TIMELINE) {
                lastLoad = row;
                COUNTED.forEach(column -> sums.merge(column, number(row, column), Double::sum));
            }
            ObjectNode second = second(Math.round(number(row, "second")));
            String name = row.getOrDefault("device", row.getOrDefault("category", ""));
            (name.isEmpty() ? second : second.withObject("/" + part)).set(name.isEmpty() ? part : name, cells(row));
        }

        @Override
        public synchronized void interval(TimeMetric metric, LoggedInterval interval) {
            if (metric == TimeMetric.RESPONSE_TIME) {
                Histogram times = interval.times();
                searches.computeIfAbsent(interval.tag(), unused -> new Histogram(3))
                        .add(times);
                long number = Math.round(interval.endSecond());
                ObjectNode latency = second(number).withObject("/latency");
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

        private static double number(Map<String, String> row, String column) {
            return Double.parseDouble(row.getOrDefault(column, "0"));
        }

        private ObjectNode second(long number) {
            ObjectNode second = seconds.computeIfAbsent(
                    number, unused -> JsonNodeFactory.instance.objectNode().put("second", number));
            if (seconds.size() > MOST_SECONDS) {
                seconds.remove(seconds.firstKey());
            }
            return second.put("change", ++changes);
        }

        /** Numbers as numbers, and the phase; without what says of which second, host, disk or category they are. */
        private static ObjectNode cells(Map<String, String> row) {
            ObjectNode cells = JsonNodeFactory.instance.objectNode();
            row.forEach((column, cell) -> {
                if (column.equals("phase")) {
                    cells.put(column, cell);
                } else if (!List.of("second", "host", "device", "category").contains(column)) {
                    cells.put(column, Double.parseDouble(cell));
                }
            });
            return cells;
        }

        /** The seconds that have changed after a change, oldest first. */
        synchronized ObjectNode since(long change) {
            ObjectNode news = JsonNodeFactory.instance.objectNode().put("change", changes);
            ArrayNode changed = news.putArray("seconds");
            seconds.values().stream()
                    .filter(second -> second.get("change").asLong() > change)
                    .forEach(second -> changed.add(second.deepCopy()));
            return news;
        }

        /**
         * What the load has come to so far, in Prometheus' text format 0.0.4
         * (https://prometheus.io/docs/instrumenting/exposition_formats/): base units, counters that only grow. Quantiles are those of
         * the measured phase so far, nearest rank.
         */
        synchronized String metrics() {
            StringBuilder text = new StringBuilder();
            head(text, "run_info", "gauge", "The run that is going on.");
            sample(text, "run_info", labels, 1);
            head(text, "measuring", "gauge", "1 in the measured phase, 0 before and after it.");
            sample(text, "measuring", Map.of(), "measured".equals(lastLoad.get("phase")) ? 1 : 0);
            METRICS.forEach((column, metric) -> {
                boolean isCounter = COUNTED.contains(column);
                head(text, metric.get(0), isCounter ? "counter" : "gauge", metric.get(1));
                double value = isCounter ? sums.getOrDefault(column, 0.0) : number(lastLoad, column);
                sample(text, metric.get(0), Map.of(), value);
            });
            String name = "response_time_seconds";
            String what = "From the instant the user was due to press Search to the last row, in the measured phase.";
            head(text, name, "summary", what);
            searches.forEach((tag, times) -> {
                // Of HAWAT1-first-newestFirst.
                String[] parts = tag.split("-", 3);
                Map<String, String> search = Map.of("search", parts[0], "page", parts[1], "order", parts[2]);
                for (double quantile : QUANTILES) {
                    Map<String, String> labelled = new HashMap<>(search);
                    labelled.put("quantile", String.valueOf(quantile));
                    sample(text, name, labelled, times.getValueAtPercentile(quantile * 100) / 1e6);
                }
                sample(text, name + "_sum", search, times.getMean() * times.getTotalCount() / 1e6);
                sample(text, name + "_count", search, (double) times.getTotalCount());
            });
            return text.toString();
        }

        private static void head(StringBuilder text, String name, String type, String help) {
            text.append("# HELP siemload_" + name + " " + help + "\n# TYPE siemload_" + name + " " + type + "\n");
        }

        private static void sample(StringBuilder text, String name, Map<String, String> labels, double value) {
            String labelled = new TreeMap<>(labels)
                    .entrySet().stream()
                            .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + '"')
                            .collect(Collectors.joining(",", "{", "}"));
            String digits = BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
            text.append("siemload_" + name + (labels.isEmpty() ? "" : labelled) + " " + digits + "\n");
        }

        private static String escaped(String value) {
            return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        }
    }
}
