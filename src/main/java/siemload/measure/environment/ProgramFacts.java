package siemload.measure.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Which version of siemload this is. */
public final class ProgramFacts {
    /** The commit of a release, in a line. */
    private static final String COMMIT = "/META-INF/siemload-commit";

    private ProgramFacts() {}

    /**
     * The version, and of a release or a checkout of git the commit.
     *
     * @param home the directory of siemload
     */
    public static Map<String, String> read(Path home) {
        Map<String, String> values = new TreeMap<>();
        String version = ProgramFacts.class.getPackage().getImplementationVersion();
        values.put("version", version == null ? "from a checkout" : version);
        released().ifPresent(revision -> values.put("revision", revision));
        if (Files.exists(home.toAbsolutePath().resolve(".git"))) {
            git(home, "rev-parse", "HEAD").ifPresent(revision -> values.put("revision", revision));
            git(home, "status", "--porcelain", "--untracked-files=normal")
                    .ifPresent(changes -> values.put("changed", changes.isEmpty() ? "no" : "yes"));
        }
        return values;
    }

    private static Optional<String> released() {
        try (InputStream file = ProgramFacts.class.getResourceAsStream(COMMIT)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** What git says; empty where there is no git, or it refuses. */
    private static Optional<String> git(Path home, String... arguments) {
        List<String> command = Stream.concat(
                        Stream.of(
                                "git",
                                "--no-optional-locks",
                                "-C",
                                home.toAbsolutePath().toString()),
                        Stream.of(arguments))
                .toList();
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
            Process git = builder.start();
            git.getOutputStream().close();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException noGit) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
