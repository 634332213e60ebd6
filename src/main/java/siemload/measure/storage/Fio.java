package siemload.measure.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import siemload.database.TargetException;
import siemload.results.BrokenFileException;
import siemload.results.ResultText;

/**
 * The program fio. One job runs at a time; it ends with this process, however that ends. {@link #stop} may be called by any
 * thread, everything else by one.
 */
final class Fio {
    private static final Path SHELL = Path.of("/bin/sh");
    /** Starts a session of its own, so that a terminal's Ctrl-C is left to siemload. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    private static final int PATIENCE_SECONDS = 10;

    private final Path outputs;
    private final String version;
    private final String engine;
    private Optional<Process> running = Optional.empty();
    private boolean stopped;

    private Fio(Path outputs, String version, String engine) {
        this.outputs = outputs;
        this.version = version;
        this.engine = engine;
    }

    /**
     * Finds the program on the path.
     *
     * @param outputs the directory that takes what it says
     * @return empty where there is none
     */
    static Optional<Fio> find(Path outputs) throws InterruptedException {
        Optional<String> version = said("fio", "--version").map(String::strip);
        if (version.isEmpty()) {
            return Optional.empty();
        }
        List<String> engines =
                said("fio", "--enghelp").orElse("").lines().map(String::strip).toList();
        String engine = engines.contains("libaio") ? "libaio" : "posixaio";
        return Optional.of(new Fio(outputs, version.orElseThrow(), engine));
    }

    String version() {
        return version;
    }

    /** What hands operations to the system. */
    String engine() {
        return engine;
    }

    /**
     * Runs a job to its end.
     *
     * @param name of the file for its output
     * @throws TargetException if fio failed, with what it said
     */
    FioOutput run(String name, FioCommand command) throws InterruptedException {
        Path output = outputs.resolve(name + ".json");
        Path errors = outputs.resolve(name + ".log");
        try {
            int code = start(command, output, errors).waitFor();
            if (code != 0) {
                throw new TargetException("fio failed with " + code + ": " + lastOf(errors, output)
                        + " (the command was: " + command.text() + ")");
            }
            return FioOutput.parse(output.toString(), ResultText.of(output, output.toString()));
        } catch (BrokenFileException broken) {
            throw new TargetException(broken.getMessage() + " (the command was: " + command.text() + ")", broken);
        } catch (InterruptedException hurried) {
            stop();
            throw hurried;
        } catch (IOException unusable) {
            throw new UncheckedIOException("fio could not be run: " + unusable.getMessage(), unusable);
        } finally {
            forget();
        }
    }

    private synchronized Process start(FioCommand command, Path output, Path errors) throws IOException {
        if (stopped) {
            throw new TargetException("stopped");
        }
        List<String> guarded = new ArrayList<>();
        if (Files.isExecutable(SESSION)) {
            guarded.add(SESSION.toString());
        }
        guarded.addAll(List.of(SHELL.toString(), "-c", guard(), "guard"));
        guarded.addAll(command.arguments());
        Process process = withoutSettings(new ProcessBuilder(guarded))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        running = Optional.of(process);
        return process;
    }

    private synchronized void forget() {
        running = Optional.empty();
    }

    /** Ends the job that runs, and all that are still to come. Returns when it has ended. */
    synchronized void stop() {
        stopped = true;
        running.ifPresent(process -> {
            List<ProcessHandle> all = process.descendants().toList();
            try {
                process.getOutputStream().close();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    all.forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    // One that waits for the disk ends later than its parent.
                    CompletableFuture.allOf(
                                    all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                            .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                            .join();
                }
            } catch (IOException hasEnded) {
                // there is nothing left to stop
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static String guard() throws IOException {
        try (InputStream script = Objects.requireNonNull(Fio.class.getResourceAsStream("guard.sh"), "guard.sh")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String lastOf(Path errors, Path output) throws IOException {
        String said = Files.readString(errors).strip();
        return (said.isEmpty() ? Files.readString(output).strip() : said)
                .lines()
                .filter(line -> !line.isBlank())
                .reduce("it said nothing", (before, line) -> line);
    }

    private static ProcessBuilder withoutSettings(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
        return builder;
    }

    private static Optional<String> said(String... command) throws InterruptedException {
        try {
            Process process = withoutSettings(new ProcessBuilder(command))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        }
    }
}
