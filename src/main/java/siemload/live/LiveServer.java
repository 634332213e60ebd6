package siemload.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shows a run while it goes on: {@code /} is a page with its charts, {@code /events} what is new each second as
 * server-sent events, {@code /metrics} the totals for Prometheus. It only reads what the run writes. Thread-safe.
 */
public final class LiveServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LiveServer.class.getName());
    private static final int MOST_PAGES = 16;
    private static final long HEARTBEAT_SECONDS = 10;
    private static final String TEXT = "text/plain; charset=utf-8";

    private final HttpServer server;
    private final RunFollower follower;
    private final RunTotals totals;
    private final RecentSeconds seconds = new RecentSeconds();
    private final byte[] page;
    private final Semaphore pages = new Semaphore(MOST_PAGES);
    private final ExecutorService workers = Executors.newCachedThreadPool(named("siemload-live-"));
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(named("siemload-follow-"));

    private LiveServer(HttpServer server, Path directory, RunDescription run) throws IOException {
        this.server = server;
        this.totals = new RunTotals(run.labels());
        this.follower = new RunFollower(directory, totals);
        this.page = LivePage.of(run).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Starts to serve.
     *
     * @param address where; port 0 for any free one
     * @param directory of the run
     * @throws IOException if the address cannot be had
     */
    public static LiveServer start(InetSocketAddress address, Path directory, RunDescription run) throws IOException {
        LiveServer live = new LiveServer(HttpServer.create(address, 0), directory, run);
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

    /** A file that cannot be read now is tried again in a second; the run itself is not concerned. */
    private synchronized void follow() {
        try {
            seconds.add(follower.newSeconds(), follower.totals());
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.DEBUG, "the files of the run cannot be read", unreadable);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
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

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private void sendEvents(HttpExchange exchange) throws IOException {
        if (!pages.tryAcquire()) {
            send(exchange, 503, TEXT, ("at most " + MOST_PAGES + " pages at once\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(200, 0);
            sendEvents(exchange.getResponseBody());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            pages.release();
        }
    }

    /** Ends with the run; a page that was closed is noticed by the next write. */
    private void sendEvents(OutputStream body) throws IOException, InterruptedException {
        long change = 0;
        for (boolean over = false; !over; ) {
            RecentSeconds.News news = seconds.since(change, HEARTBEAT_SECONDS);
            change = news.change();
            over = news.over();
            StringBuilder text = new StringBuilder(news.json().isEmpty() ? ": still here\n\n" : "");
            for (ObjectNode second : news.json()) {
                text.append("event: second\ndata: ").append(second).append("\n\n");
            }
            if (!news.json().isEmpty()) {
                text.append("event: totals\ndata: ").append(news.totals()).append("\n\n");
            }
            if (over) {
                text.append("event: end\ndata: {}\n\n");
            }
            body.write(text.toString().getBytes(StandardCharsets.UTF_8));
            body.flush();
        }
    }

    /** Tells open pages that the run has ended, and stops. */
    @Override
    public void close() {
        timer.shutdownNow();
        follow();
        seconds.end();
        server.stop(1);
        workers.shutdownNow();
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}
