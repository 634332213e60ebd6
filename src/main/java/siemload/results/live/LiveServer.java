package siemload.results.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import siemload.results.RunListener;

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
}
