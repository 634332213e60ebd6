package siemload.browser;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import siemload.config.directory.DirectoryTree;
import siemload.database.contract.Required;

/** A headless Chromium of its own for a test class, which is skipped where there is none. To be registered as a static extension. */
public final class Browser implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int PATIENCE_SECONDS = 120;

    private Optional<Path> profile = Optional.empty();
    private Optional<Process> process = Optional.empty();
    private int port;

    @Override
    public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
        Optional<Path> program = find();
        Required.orSkip(
                "chromium",
                program.isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "none of " + String.join(", ", NAMES) + " is on the PATH (apt-get install chromium)"));
        Path directory = Files.createTempDirectory("siemload-browser");
        profile = Optional.of(directory);
        // Its own sandbox does not work for root and in most containers; it opens our own page alone.
        ProcessBuilder builder = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + directory,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("chromium.log").toFile());
        // Otherwise it leaves a directory behind.
        builder.environment().put("TMPDIR", directory.toString());
        process = Optional.of(builder.start());
        port = awaitPort(process.orElseThrow(), directory);
    }

    private static Optional<Path> find() {
        String[] directories = System.getenv("PATH").split(":", -1);
        return NAMES.stream()
                .flatMap(name -> Stream.of(directories).map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** It writes the port that it got into its profile. */
    private static int awaitPort(Process process, Path profile) throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < deadline && !process.waitFor(50, TimeUnit.MILLISECONDS)) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= 2) {
                return Integer.parseInt(lines.get(0));
            }
        }
        throw new IOException("Chromium did not start: " + Files.readString(profile.resolve("chromium.log")));
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException, InterruptedException {
        if (process.isPresent()) {
            Process browser = process.orElseThrow();
            List<ProcessHandle> children = browser.descendants().toList();
            browser.destroy();
            if (!browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                browser.destroyForcibly().waitFor();
            }
            children.forEach(child ->
                    child.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
        }
        if (profile.isPresent()) {
            DirectoryTree.delete(profile.orElseThrow());
        }
    }

    /** Opens a page that tells of its errors, its log and what it asks for, so many pixels wide and in a colour scheme. */
    public DevTools open(String url, int width, String scheme) throws IOException, InterruptedException {
        DevTools page = newPage();
        page.listen(List.of("Runtime", "Log", "Network", "Page"));
        page.call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        page.show(scheme, "screen");
        page.navigate(url);
        page.settle();
        return page;
    }

    /** Opens an empty page. */
    DevTools newPage() throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        String socket =
                new ObjectMapper().readTree(answer).path("webSocketDebuggerUrl").asText();
        return DevTools.connect(http, URI.create(socket));
    }
}
