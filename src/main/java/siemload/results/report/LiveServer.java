package siemload.results.report;

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
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import siemload.config.DaemonThread;
import siemload.results.RunWriter.RunListener;

/**
 * Shows a run in progress: {@code /} is a page with charts, which requests data from {@code /series} once a second. The data are the rows
 * and intervals that the run writes. Thread-safe.
 */
public final class LiveServer implements AutoCloseable {
    /** The largest number of connections that wait to be accepted; all further clients, even honest ones, must try again seconds later. */
    private static final int MOST_UNACCEPTED = 1_024;

    /** If all threads are busy, a request is refused at once: slow clients may lock out others, but must not disturb the run. */
    private static final int MOST_THREADS = 28;

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-f:.]+]");
    private static final String NOT_BY_THIS_NAME =
            "the live view does not answer under this name (use localhost, or the name or the address in"
                    + " -DliveAddress)\n";
    private static final String TEXT = "text/plain; charset=utf-8";
    /** The headers of every answer; the content security policy for scripts is in the page itself. */
    private static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-store",
            "X-Content-Type-Options", "nosniff",
            "Content-Security-Policy", "frame-ancestors 'none'",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Referrer-Policy", "no-referrer");

    private final HttpServer server;
    private final TimeSeries series = new TimeSeries();
    private final String page;
    private final Set<String> names;
    private final ExecutorService threads = new ThreadPoolExecutor(
            0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonThread.named("siemload-live"));

    /**
     * Starts to serve.
     *
     * @param address the address to listen on; port 0 for any free port
     * @param runId the name of the run's directory
     * @param sentence a description of the run in one sentence, for people
     * @throws IOException if the server cannot listen on the address
     */
    public LiveServer(InetSocketAddress address, String runId, String sentence) throws IOException {
        this.names = names(address);
        this.page = new ChartPage("siemload live")
                .script("/siemload/results/report/live.js")
                .asksItsHost()
                .data(Map.of("title", runId, "sentence", sentence))
                .html("the report, which is written at the end of the run, says");
        this.server = HttpServer.create(address, MOST_UNACCEPTED);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Returns the url of the page. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + "/";
    }

    /** Returns the listener that must receive all rows and intervals that the run writes. */
    public RunListener listener() {
        return series;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            if (!isOwn(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Host"), ""))) {
                send(exchange, 403, TEXT, NOT_BY_THIS_NAME);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, TEXT, "only GET is answered here\n");
            } else {
                switch (exchange.getRequestURI().getPath()) {
                    case "/" -> send(exchange, 200, "text/html; charset=utf-8", page);
                    case "/series" ->
                        send(exchange, 200, "application/json", series.json().toString());
                    default -> send(exchange, 404, TEXT, "only / and /series exist here\n");
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
     * Returns whether a browser used a name of this machine, or an address. A foreign website could make its own name lead to this machine
     * and read the live view, but the browser sends the name that it used.
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
            // The machine has no name that can be resolved.
        }
        return names;
    }
}
