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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.database.contract.Required;

/** A headless Chromium of its own, stopped and removed when closed. */
public final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final int port;

    private Chromium(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it; skips the test where there is none.
     *
     * @param profile an empty directory
     */
    public static Chromium start(Path profile) throws IOException, InterruptedException {
        Optional<Path> program = find();
        Required.orSkip(
                "chromium",
                program.isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                "none of " + String.join(", ", NAMES) + " is on the PATH (apt-get install chromium)"));
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
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("chromium.log").toFile());
        // Otherwise it leaves a directory behind.
        builder.environment().put("TMPDIR", profile.toString());
        Process process = builder.start();
        try {
            return new Chromium(process, awaitPort(process, profile));
        } catch (IOException | RuntimeException | InterruptedException failed) {
            process.destroyForcibly();
            throw failed;
        }
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
        while (System.nanoTime() < deadline) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= 2) {
                return Integer.parseInt(lines.get(0));
            }
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new IOException("Chromium did not start: "
                + Files.readString(profile.resolve("chromium.log"))
                        .lines()
                        .limit(5)
                        .toList());
    }

    /** Opens an empty page. */
    public DevTools newPage() throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        String socket =
                new ObjectMapper().readTree(answer).path("webSocketDebuggerUrl").asText();
        return DevTools.connect(http, URI.create(socket));
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        children.forEach(child ->
                child.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
    }
}
