package siemload.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One page of a browser, driven by the Chrome DevTools Protocol. Used by one thread. */
public final class DevTools implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 300;

    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
    private int lastCall;

    private DevTools() {}

    static DevTools connect(HttpClient http, URI address) {
        DevTools page = new DevTools();
        page.socket.complete(http.newWebSocketBuilder()
                .buildAsync(address, page.new Messages())
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join());
        return page;
    }

    /** Long messages come in parts. */
    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void take(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            CompletableFuture<JsonNode> call =
                    message.has("id") ? calls.remove(message.path("id").asInt()) : null;
            if (call == null) {
                events.add(message);
            } else {
                call.complete(message);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** From now on tells what happens in these domains. */
    void listen(List<String> domains) {
        domains.forEach(domain -> call(domain + ".enable", Map.of()));
    }

    /** Goes to an address, and waits until all of it is loaded. */
    void navigate(String url) {
        call("Page.navigate", Map.of("url", url));
        await("location.protocol !== 'about:' && document.readyState === 'complete'");
    }

    /** Waits for a condition; it looks often, and the calls have a limit of time. */
    public void await(String condition) {
        evaluate("new Promise(done => { const look = () => (" + condition
                + ") ? done() : setTimeout(look, 20); look(); })");
    }

    /** Waits for two frames: charts follow the size of their places in the first, and are painted in the second. */
    public void settle() {
        evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    }

    /** The ids of charts in which next to nothing is drawn. */
    public JsonNode emptyCharts() {
        return evaluate("""
                [...document.querySelectorAll('.chart')].filter(chart => chart.querySelectorAll(
                    'svg path[d]:not([d=""])').length < 3).map(chart => chart.id)""");
    }

    public void openAllDetails() {
        evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        settle();
    }

    /**
     * Serious and critical faults outside the shapes of charts, each with the first places where it was found; an array. Rows of a table are
     * alike: the first three are looked at, by night all.
     */
    public JsonNode seriousFaults() throws IOException {
        evaluate(script() + "; 0");
        boolean all = System.getProperty("contract.searches", "").equals("all");
        return evaluate("axe.run({exclude: ['.chart svg > *'" + (all ? "" : ", 'tbody tr:nth-child(n + 4)'") + """
                ]}, {resultTypes: ['violations']}).then(found =>
                    !found.passes.some(rule => rule.id === 'color-contrast') ? ['contrast was not looked at']
                    : found.violations.filter(fault => ['serious', 'critical'].includes(fault.impact))
                    .map(fault => fault.id + ': ' + fault.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | ')))""");
    }

    private static String script() throws IOException {
        Properties webjar = new Properties();
        try (InputStream properties = resource("/META-INF/maven/org.webjars.npm/axe-core/pom.properties")) {
            webjar.load(properties);
        }
        String path = "/META-INF/resources/webjars/axe-core/" + webjar.getProperty("version") + "/axe.min.js";
        try (InputStream script = resource(path)) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream resource(String path) {
        return Stream.of(path)
                .map(DevTools.class::getResourceAsStream)
                .findFirst()
                .orElseThrow();
    }

    /** Lets the page be shown in a colour scheme ({@code light}, {@code dark}) on a medium ({@code screen}, {@code print}). */
    public void show(String scheme, String medium) {
        Map<String, String> preference = Map.of("name", "prefers-color-scheme", "value", scheme);
        call("Emulation.setEmulatedMedia", Map.of("media", medium, "features", List.of(preference)));
    }

    /** Nothing failed, nothing was logged, and nothing was asked for from elsewhere. */
    public void assertSilent(Predicate<String> ours) {
        assertThat(events("Runtime.exceptionThrown")).isEmpty();
        assertThat(events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(events("Log.entryAdded")).isEmpty();
        assertThat(events("Network.requestWillBeSent"))
                .extracting(sent -> sent.path("request").path("url").asText())
                .isNotEmpty()
                .allMatch(url -> ours.test(url) || url.startsWith("data:"));
    }

    /** Calls a method and waits for its result. */
    public JsonNode call(String method, Map<String, ?> parameters) {
        int id = ++lastCall;
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.join().sendText(message.toString(), true).join();
        JsonNode result = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        if (result.has("error")) {
            throw new IllegalStateException(method + ": " + result.path("error"));
        }
        return result.path("result");
    }

    /** The value of an expression; a promise is waited for. */
    public JsonNode evaluate(String expression) {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.path("exceptionDetails").toString());
        }
        return result.path("result").path("value");
    }

    /** The value of an expression that is a text. */
    public String text(String expression) {
        return evaluate(expression).asText();
    }

    /** The value of an expression that is a whole number. */
    public int number(String expression) {
        return evaluate(expression).asInt();
    }

    /** Everything that the page told since it was opened, of one kind. */
    public List<JsonNode> events(String method) {
        return events.stream()
                .filter(event -> event.path("method").asText().equals(method))
                .map(event -> event.path("params"))
                .toList();
    }

    @Override
    public void close() {
        call("Page.close", Map.of());
        socket.join().abort();
    }
}
